import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '@handover/embedded-postgres';
import pg from 'pg';
import { endOnSignal } from '../composition/end-on-signal.ts';

/** Nothing in it has to survive a power cut. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const STOP_LIMITS = { fastMs: 2_000, immediateMs: 2_000 };

/**
 * An empty database for the duration of this work: of a PostgreSQL that is started for it, or in the given one, whose
 * user must be allowed to create databases.
 */
export async function withScratchDatabase<Result>(
  serverUrl: string | null,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  return serverUrl === null ? withScratchServer(work) : withScratchIn(serverUrl, work);
}

async function withScratchServer<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-scratch-'));
  const directory = join(folder, 'postgres');
  const remove = () => rm(folder, { recursive: true, force: true });
  const stayOnSignal = endOnSignal(() => stopEmbeddedPostgres(directory, STOP_LIMITS).finally(remove));
  try {
    const postgres = await startEmbeddedPostgres({ directory, settings: SETTINGS });
    return await work(postgres.url).finally(() => postgres.stop());
  } finally {
    await remove();
    stayOnSignal();
  }
}

async function withScratchIn<Result>(
  serverUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `handover_scratch_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`create database ${name} template template0`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await work(url.href).finally(() => client.query(`drop database ${name} with (force)`));
  } finally {
    await client.end();
  }
}
