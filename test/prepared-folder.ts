import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder of this run for what its processes share: see copyPreparedPostgres. */
    preparedFolder: string;
  }
}

/** Runs once, for the project of unit tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-prepared-'));
  project.provide('preparedFolder', folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
