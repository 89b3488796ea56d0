import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { asStoreError } from '../database/store-errors.ts';
import { initial } from './0001-initial.ts';
import { fewerIndexes } from './0002-fewer-indexes.ts';

/** In order, numbered without gaps. Only append: installations record by name which migrations have run. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-fewer-indexes': fewerIndexes,
};

// Any number that no other lock uses.
const MIGRATION_LOCK = 7_204_816_335;

/**
 * Migrates the database to this version's tables. It needs a direct connection (no pooler), because it holds a
 * session lock: of several concurrent processes one migrates, and the others find it done. A database that is up to
 * date costs one query. Throws {@link UnknownSchemaError}, and changes nothing, if the tables are of an unknown
 * version.
 */
export async function migrate(url: string): Promise<void> {
  const lock = new pg.Client({
    connectionString: url,
    application_name: 'handover migration',
    connectionTimeoutMillis: 10_000,
  });
  // The caller learns of a lost connection from its query.
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

/** The first migration of the unreleased list that was replaced. */
const BEFORE_RELEASE = '0001-first-tables';

/** A fingerprint of the tables that this program expects. */
function describeVersion(): string {
  const wanted = Object.keys(MIGRATIONS);
  return `handover ${createHash('sha256').update(JSON.stringify(wanted)).digest('hex')}`;
}

/**
 * What the last program wrote when it finished migrating. It is the table's comment, so that a dump contains it as
 * well.
 */
async function readVersion(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ readonly version: string | null }>(
    `select obj_description(to_regclass('kysely_migration'), 'pg_class') as version`,
  );
  return rows[0]?.version ?? null;
}

async function migrateTables(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  // The pool does not listen to a connection in use, and an unhandled 'error' ends the process.
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
