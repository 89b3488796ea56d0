import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import * as domain from '@handover/domain';
import { expect, it } from 'vitest';
import { playSeeds } from './play-seeds.ts';

/** Use cases that no history calls, each with its reason. */
const NOT_PLAYED: Readonly<Record<string, string>> = {
  alertOfRejection: 'Histories keep no rejected requests; the contract of alert keys raises its alerts.',
  keepContent:
    'The simulated file stores announce nothing; `content-races.db.test.ts` plays it against the sweep.',
  deleteTestPurchase: 'Histories have no test orders.',
  eraseCustomer:
    'The rules of histories find buyers by their addresses; `erase-customer.db.test.ts` plays its races.',
  openLibrary: 'It reads, and renews links as openDownloadLink does.',
  sendTestMail: 'Histories have no mail server to test; it writes one entry.',
};

it('calls every use case of the domain', async () => {
  const useCases = listUseCases();
  expect(useCases.length).toBeGreaterThan(50);
  const called = await listCalled(() => playSeeds(1, 100));
  const missing = useCases.filter((name) => !called.has(name));
  expect(missing).toEqual(Object.keys(NOT_PLAYED));
});

/** The exports of the domain that return a promise: they call their ports. */
function listUseCases(): readonly string[] {
  const folder = fileURLToPath(new URL('../../domain/src', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('memory'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n');
  const promising = new Set(
    [...sources.matchAll(/^export (?:async )?function (\w+)[\s\S]*?^}$/gm)]
      .filter(([text]) => /^(?:export .*)?\): Promise</m.test(text))
      .map(([, name]) => name),
  );
  return Object.keys(domain).filter((name) => promising.has(name));
}

/** The names of all functions of the domain that run meanwhile, from the engine's coverage. */
async function listCalled(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  try {
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result
      .filter(({ url }) => url.includes('/packages/domain/src/'))
      .flatMap(({ functions: found }) => found);
    return new Set(
      functions
        .filter(({ ranges }) => ranges.some(({ count }) => count > 0))
        .map(({ functionName }) => functionName),
    );
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
