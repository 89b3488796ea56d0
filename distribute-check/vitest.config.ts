import { defineConfig } from 'vitest/config';
import { fromSource } from '../test/from-source.ts';

/** One file at a time: each starts three PostgreSQLs. */
export default defineConfig({
  ...fromSource,
  test: {
    env: { NODE_OPTIONS: '--conditions=handover-source' },
    include: ['distribute-check/*.distribute.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
