import { defineConfig } from 'vitest/config';
import { fromSource } from '../test/from-source.ts';

/** One file at a time: each measures how long it takes until service is back. */
export default defineConfig({
  ...fromSource,
  test: {
    env: { NODE_OPTIONS: '--conditions=handover-source' },
    include: ['failover/*.failover.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
