import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { initial } from './migrations/0001-initial.ts';
import { fewerIndexes } from './migrations/0002-fewer-indexes.ts';
import { asStoreError } from './store-errors.ts';

/** In order, numbered without gaps. Only ever appended to: installations have recorded by name what they have run. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-fewer-indexes': fewerIndexes,
};

// Any number that nobody else takes.
const MIGRATION_LOCK = 7_204_816_335;

/**
 * Brings the database up to this version's tables. Needs a direct connection (no pooler in
 * between), for it holds a lock of the session: of several processes that migrate at once, one works and the
 * others find it done. A database that is up to date already costs one query. Throws {@link UnknownSchemaError}, and changes
 * nothing, where the tables are of a version that this one does not know.
 */
export async function migrate(url: string): Promise<void> {
  const lock = new pg.Client({
    connectionString: url,
    application_name: 'handover migration',
    connectionTimeoutMillis: 10_000,
  });
  // Whoever waits on the connection hears of its loss from its query.
  lock.on('error', () => undefined);
  try {
    await lock.connect();
    const version = describeVersion();
    if ((await readVersion(lock)) === version) return;
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    refuseUnknown(await listRecorded(lock));
    await migrateTables(url);
    await lock.query(`comment on table kysely_migration is '${version}'`);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await lock.end();
  }
}

/** The database was migrated by a version whose tables this one cannot use. */
class UnknownSchemaError extends Error {
  override readonly name = 'UnknownSchemaError';
  readonly code = 'unknown-schema';
}

async function listRecorded(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ readonly migrated: boolean }>(
    `select to_regclass('kysely_migration') is not null as migrated`,
  );
  if (!rows[0]?.migrated) return [];
  const recorded = await client.query<{ readonly name: string }>(
    'select name from kysely_migration order by name',
  );
  return recorded.rows.map(({ name }) => name);
}

function refuseUnknown(recorded: readonly string[]): void {
  const [unknown] = recorded.filter((name) => !(name in MIGRATIONS));
  if (unknown === undefined) return;
  if (recorded.includes(BEFORE_RELEASE)) {
    throw new UnknownSchemaError(
      'The database was set up by a version from before the first release, whose tables cannot be carried over. Nothing of it was changed. Start with an empty one: give another DATABASE_URL, or another DATA_DIR if you have none.',
    );
  }
  throw new UnknownSchemaError(
    `The database was set up by a newer version of Handover (it has ${unknown}). Nothing of it was changed. Run that version, or restore a dump from before.`,
  );
}

/** With it the list of migrations began that was never released. */
const BEFORE_RELEASE = '0001-first-tables';

/** Changes with the tables that this program wants. */
function describeVersion(): string {
  const wanted = Object.keys(MIGRATIONS);
  return `handover ${createHash('sha256').update(JSON.stringify(wanted)).digest('hex')}`;
}

/** What the last program that finished migrating has left. It is in the table's comment, so a dump holds it as well. */
async function readVersion(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ readonly version: string | null }>(
    `select obj_description(to_regclass('kysely_migration'), 'pg_class') as version`,
  );
  return rows[0]?.version ?? null;
}

async function migrateTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  // The pool does not listen to a connection while it is in use, and an 'error' that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => MIGRATIONS },
    });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    await db.destroy();
  }
}
