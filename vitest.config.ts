import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { chooseWorkers } from './test/choose-workers.ts';
import { fromSource } from './test/from-source.ts';
import { keepTemporaryFilesInMemory } from './test/memory-folder.ts';
import { SlowestFirst } from './test/slowest-first.ts';
import { WAIT_TIMEOUT_MS } from './test/wait-timeout.ts';

keepTemporaryFilesInMemory();

const folders = ['packages', 'apps', 'examples', 'scripts', 'bench', 'checks'];
const everywhere = (ending: string) => folders.map((folder) => `${folder}/**/test/**/*.${ending}`);
const never = ['**/node_modules/**', '**/dist/**', 'packages/create-platform/template/**'];

// Properties try many cases, servers start, and pages are looked at in four ways each: on a busy machine, slowly. Only
// what hangs takes as long as this.
const timeouts = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
};

// The programs that tests start run the sources, too. Node keeps what it compiled, without types, for the next process.
const env = {
  NODE_OPTIONS: '--conditions=handover-source',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/handover/compiled', import.meta.url)),
};

export default defineConfig({
  test: {
    // Most of the slow tests wait for a process or a database, so more of them run at once than there are cores.
    maxWorkers: chooseWorkers(),
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        ...fromSource,
        test: {
          env,
          name: 'unit',
          // Files that run in one process share what they import: loading it for each anew takes longer than most of them
          // do. So a test leaves nothing behind in a module.
          isolate: false,
          ...timeouts,
          setupFiles: './test/properties.ts',
          globalSetup: './test/prepared-folder.ts',
          include: everywhere('test.ts'),
          exclude: [...never, ...everywhere('db.test.ts'), ...everywhere('browser.test.ts')],
        },
      },
      {
        ...fromSource,
        test: {
          env,
          name: 'db',
          // As in `unit`. What a file leaves behind reaches no other one: each has a database of its own.
          isolate: false,
          setupFiles: './test/properties.ts',
          include: everywhere('db.test.ts'),
          exclude: never,
          globalSetup: './test/postgres.ts',
          ...timeouts,
        },
      },
      {
        // As they are published: nothing of the workspace is read.
        test: { name: 'packages', ...timeouts, include: ['test/packages/*.test.ts'] },
      },
      {
        ...fromSource,
        test: {
          env,
          name: 'browser',
          // As in `unit`: most of a file's time was loading the pages' code, and starting a browser.
          isolate: false,
          include: everywhere('browser.test.ts'),
          exclude: never,
          ...timeouts,
        },
      },
    ],
  },
});
