import { defineConfig } from 'vitest/config';
import { fromSource } from '../../test/from-source.ts';
import { GROUPS } from './groups.ts';

const group = GROUPS[process.env.MUTATION_GROUP ?? ''];
if (!group) throw new Error('MUTATION_GROUP names no group.');

/** Only the unit tests of one group, all of them in one process, since what they import holds every mutant. */
export default defineConfig({
  ...fromSource,
  test: {
    isolate: false,
    maxWorkers: 1,
    // A mutant that makes a test wait for ever is killed by this.
    testTimeout: 10_000,
    // A mutant of what runs only while a module is loaded is tried by a run of its own.
    ...(process.env.MUTATION_RESULTS ? { runner: './checks/mutation/mutant-runner.ts' } : {}),
    setupFiles: './test/properties.ts',
    include: [...group.tests],
    exclude: ['**/node_modules/**', '**/*.db.test.ts', '**/*.browser.test.ts', ...group.exclude],
  },
});
