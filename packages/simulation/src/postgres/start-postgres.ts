import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedTemplate, type TestPostgres } from '@handover/adapters-postgres/testing';
import { startEmbeddedPostgres } from '@handover/embedded-postgres';

/** These databases need not survive a power cut. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

/** Our own PostgreSQL, or that of DATABASE_URL, with a migrated database to copy. */
export async function startPostgres(): Promise<TestPostgres & { stop(): Promise<void> }> {
  const { url, stop } = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => undefined }
    : await startEmbedded();
  const template = await createMigratedTemplate(url);
  return {
    url,
    migrated: template.name,
    stop: async () => {
      await template.drop();
      await stop();
    },
  };
}

async function startEmbedded(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'handover-simulation-'));
  const { superuserUrl: url, stop } = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    settings: SETTINGS,
  });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
