import { defineConfig } from 'vitest/config';
import { GROUPS } from './groups.ts';

const group = GROUPS[process.env.MUTATION_GROUP ?? ''];
if (!group) throw new Error('MUTATION_GROUP names no group.');

/** Only the unit tests of one group, for Stryker. A mutant that hangs is ended by Stryker. */
export default defineConfig({
  test: {
    isolate: false,
    testTimeout: 60_000,
    setupFiles: './test/properties.ts',
    include: [...group.tests],
    exclude: ['**/node_modules/**', '**/*.db.test.ts', '**/*.browser.test.ts', ...group.exclude],
  },
});
