import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { migrate } from '../packages/adapters-postgres/src/migrations/migrate.ts';
import { startEmbeddedPostgres } from '../packages/embedded-postgres/src/index.ts';

/**
 * Fills `directory` as the first start of the embedded PostgreSQL does, with the tables of Handover. Making and migrating
 * a database takes two seconds of processor time, a copy of one a fifth of a second. Tests of the first start make their own.
 */
export async function copyPreparedPostgres(directory: string): Promise<void> {
  // With owners and modes: for root, PostgreSQL runs as another user.
  await promisify(execFile)('cp', ['-a', await prepareOnce(inject('preparedFolder')), directory]);
}

/** Several processes may make it concurrently: the first to finish wins. */
async function prepareOnce(folder: string): Promise<string> {
  const place = join(folder, 'postgres');
  if (existsSync(place)) return place;
  const draft = await mkdtemp(join(folder, 'draft-'));
  const directory = join(draft, 'postgres');
  const { url, stop } = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  await migrate(url).finally(() => stop());
  await rm(join(directory, 'postgres.log'), { force: true });
  await rename(directory, place).catch((error: unknown) => {
    if (!existsSync(place)) throw error;
  });
  await rm(draft, { recursive: true, force: true });
  return place;
}
