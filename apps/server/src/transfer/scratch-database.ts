import { randomBytes } from 'node:crypto';
import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, startEmbeddedPostgres, stopEmbeddedPostgres } from '@handover/embedded-postgres';
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
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const remove = () => removeScratch(folder);
  const stayOnSignal = endOnSignal(remove);
  try {
    await claimDirectory(folder, HOLDER);
    const postgres = await startEmbeddedPostgres({ directory: join(folder, 'postgres'), settings: SETTINGS });
    return await work(postgres.url);
  } finally {
    await remove();
    stayOnSignal();
  }
}

const PREFIX = 'handover-scratch-';
const HOLDER = { kind: 'command', what: 'handover backup verify' } as const;

/** What processes that were killed left behind: their PostgreSQL runs on. A claim ends with its process. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    // Another one may have removed it, or it is another user's.
    await removeUnclaimed(folder).catch(() => undefined);
  }
}

async function removeUnclaimed(folder: string): Promise<void> {
  if ((await stat(folder)).uid !== process.getuid?.()) return;
  // Without it, its process is about to claim it.
  await access(join(folder, 'lock'));
  if ((await claimDirectory(folder, HOLDER)).kind === 'claimed') await removeScratch(folder);
}

async function removeScratch(folder: string): Promise<void> {
  await stopEmbeddedPostgres(join(folder, 'postgres'), STOP_LIMITS).finally(() =>
    rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  );
}

/** An advisory lock of the server: from making a scratch database until it is connected. */
export const SCRATCH_LOCK = 7_310_450_128;

async function withScratchIn<Result>(
  serverUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `handover_scratch_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  // As long as it is connected, nobody takes the database for an abandoned one.
  const holder = new pg.Client({ connectionString: url.href, keepAlive: true });
  holder.on('error', () => undefined);
  await onServer(serverUrl, async (client) => {
    // Nor until then: the lock ends with this connection.
    await client.query('select pg_advisory_lock($1)', [SCRATCH_LOCK]);
    await dropAbandoned(client);
    await client.query(`create database ${name} template template0`);
    await holder.connect();
  });
  // By a new connection: one that was idle for the hours of the work may be cut.
  const drop = () =>
    holder
      .end()
      .finally(() =>
        onServer(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`)),
      );
  const stayOnSignal = endOnSignal(drop);
  return await work(url.href)
    .finally(() => drop().catch(unlessAway))
    .finally(stayOnSignal);
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** What the work found is not lost because its server is away, or starts, when it ends: the next work drops the database. */
function unlessAway(error: unknown): void {
  if (error instanceof pg.DatabaseError && !error.code?.startsWith('57P')) throw error;
}

/** Those of processes that were killed, or whose server was away: nobody is connected to them. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ readonly name: string }>(
    `select datname as name from pg_database where datname ~ '^handover_scratch_[0-9a-f]{12}$'
       and datdba = (select oid from pg_roles where rolname = current_user)
       and datname not in (select datname from pg_stat_activity where datname is not null)`,
  );
  for (const { name } of rows) {
    await client.query(`drop database if exists ${name}`).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
    });
  }
}
