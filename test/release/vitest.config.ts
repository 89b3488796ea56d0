import { defineConfig } from 'vitest/config';
import { fromSource } from '../from-source.ts';

/** Inside the namespaces that run.ts makes. One file at a time: they share ports, as the services of one machine do. */
export default defineConfig({
  ...fromSource,
  test: {
    include: ['test/release/*.release.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
