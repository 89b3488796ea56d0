import { defineConfig } from 'vitest/config';
import { fromSource } from '../test/from-source.ts';

/** One file at a time: each starts services of its own, on ports that are fixed or beside the time that it measures. */
export default defineConfig({
  ...fromSource,
  test: {
    include: ['checks/*/*.check.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
