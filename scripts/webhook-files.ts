// `npm run webhook-files`: lists our source files with the functions that run for one paid order of storefront-a, until its
// receipt is mailed, and for one request with a wrong signature. What an idle server runs meanwhile is among them.
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '../apps/server/src/serve/log.ts';
import { runServer } from '../apps/server/src/serve/run-server.ts';
import { readSettings } from '../apps/server/src/settings/settings.ts';
import { startMailSink } from '../bench/speed/start-mail-sink.ts';
import { openShop, secretOf } from '../checks/chaos/shop.ts';
import { composeDelivery } from '../packages/simulation/src/world/send-order.ts';

/** What follows an answer within this time counts, such as the line of the log. */
const AFTERWARDS_MS = 300;
const MAILED_WITHIN_MS = 20_000;
const root = fileURLToPath(new URL('..', import.meta.url));

interface Run {
  readonly what: string;
  readonly status: number;
  /** The functions of each file. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

for (const { what, status, files } of await runWebhooks()) {
  console.log(`\n${what}, answered ${status}: ${files.size} files`);
  for (const [file, names] of files) console.log(`  ${file}: ${names.join(' ')}`);
}

async function runWebhooks(): Promise<readonly Run[]> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-webhook-files-'));
  const mail = await startMailSink();
  const environment = { DATA_DIR: directory, PORT: '0', SMTP_URL: mail.url, MAIL_FROM: 'orders@shop.test' };
  const read = readSettings(environment);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const server = await runServer(read.settings, createLog());
  try {
    const { siteUrl } = server.settings;
    const { orgId } = await openShop(environment, siteUrl, 'shop');
    const secret = secretOf('storefront-a');
    const prepare = (number: number, signedWith: string) => {
      const email = `buyer-${number}@example.test`;
      const order = {
        orgId,
        platform: 'storefront-a',
        orderId: `${number}`,
        email,
        skus: ['felt-piano'],
      } as const;
      const { headers, body } = composeDelivery(order, 'paid', signedWith, new Date());
      const request = { method: 'POST', headers, body: Buffer.from(body) };
      return async () => {
        const { status } = await fetch(`${siteUrl}/webhooks/${orgId}/storefront-a`, request);
        if (status === 200) await mail.waitFor([email], MAILED_WITHIN_MS);
        await pause(AFTERWARDS_MS);
        return status;
      };
    };
    // What runs only for the first of a kind is not counted.
    await prepare(1, secret)();
    await prepare(2, `not-${secret}`)();
    return [
      await watchFiles('A paid order, until its receipt is mailed', prepare(3, secret)),
      await watchFiles('A wrong signature', prepare(4, `not-${secret}`)),
    ];
  } finally {
    await server.stop();
    await mail.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The files and functions of ours that run meanwhile, from the engine's coverage. */
async function watchFiles(what: string, send: () => Promise<number>): Promise<Run> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  try {
    const status = await send();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files = result.flatMap(({ url, functions }): [string, string[]][] => {
      const file = url.startsWith('file:') ? fileURLToPath(url).slice(root.length) : '';
      if (!/^(?:apps|packages)\/.*\/src\//.test(file)) return [];
      const run = functions.filter(({ ranges: [whole] }) => whole !== undefined && whole.count > 0);
      return run.length === 0
        ? []
        : [[file, [...new Set(run.map(({ functionName }) => functionName || '(anonymous)'))]]];
    });
    return { what, status, files: new Map(files.toSorted()) };
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
}
