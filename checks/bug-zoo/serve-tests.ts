// Runs tests of the copy that it is started in, for the process that started it: see test-server.ts. Vitest stays
// loaded between two runs, so that only what changed is read again.

import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import { evaluateRun } from './evaluate-run.ts';
import type { TestRequest } from './test-server.ts';

/** A test that a bug keeps from ending has failed. */
const TIMEOUT_MS = 60_000;

const vitest = await createVitest('test', {
  watch: false,
  // One failure is enough to catch a bug.
  bail: 1,
  maxWorkers: 1,
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  reporters: [{}],
});
await vitest.standalone();
process.on(
  'message',
  (request: TestRequest) => void answer(request).then((verdict) => process.send?.(verdict)),
);
process.once('disconnect', () => void vitest.close().finally(() => process.exit()));
process.send?.('ready');

/** Files are read again for this run and for the next one. */
async function answer({ changed, ...request }: TestRequest) {
  for (const file of changed) vitest.invalidateFile(resolve(file));
  const verdict = await runTests(request);
  for (const file of changed) vitest.invalidateFile(resolve(file));
  return verdict;
}

async function runTests({ seenBy, tests }: Pick<TestRequest, 'seenBy' | 'tests'>) {
  if (tests === null) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(escapePattern(tests));
  const wanted = new Set(seenBy.map((file) => resolve(file)));
  const found = await vitest.globTestSpecifications([...seenBy]);
  const run = await vitest.runTestSpecifications(found.filter(({ moduleId }) => wanted.has(moduleId)));
  // It knows of those of earlier runs, too.
  const testModules = run.testModules.filter(({ moduleId }) => wanted.has(moduleId));
  const results = testModules.flatMap((module) =>
    [...module.children.allTests()].map((test) => ({
      name: test.fullName,
      state: test.result().state,
    })),
  );
  const errors = [...run.unhandledErrors, ...testModules.flatMap((module) => module.errors())];
  return evaluateRun(results, errors.map(describe));
}

function describe(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
