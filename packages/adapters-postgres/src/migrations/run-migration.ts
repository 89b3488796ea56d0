import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Migration, MigrationOf } from './migration-kinds.ts';
import { SchemaError } from './schema-state.ts';

/** How long a migration may wait for a lock, and hold one: statements of servers queue behind it. */
const MAX_LOCK_MS = 1_000;
/** With pauses of two seconds at most, this is about two minutes. */
const MAX_TRIES = 60;
const MAX_PAUSE_MS = 2_000;
const ROWS_PER_BATCH = 1_000;

/** The migrations before this rule. They change tables that no installation of a release has without them. */
export const UNLIMITED: readonly string[] = ['0001-initial', '0002-fewer-indexes'];

export interface MigrationProgress {
  readonly name: string;
  /** Rows that a backfill has looked at, and about how many there are. */
  readonly done: number;
  readonly total: number;
}

interface Context {
  readonly db: Kysely<unknown>;
  readonly name: string;
  /** Records that the migration is complete. */
  readonly record: (db: Kysely<unknown>) => Promise<unknown>;
  readonly onProgress: (progress: MigrationProgress) => void;
}

/** Runs one migration of any kind and records it. Returns how many rows it filled in. */
export async function runMigration(migration: Migration, context: Context): Promise<number> {
  const { db, record } = context;
  switch (migration.kind) {
    case 'tables':
      await changeTables(migration, context);
      return 0;
    case 'indexes':
      await changeIndexes(migration, context);
      break;
    case 'validation':
      for (const { table, name } of migration.constraints) {
        const statement = sql`alter table ${sql.table(table)} validate constraint ${sql.ref(name)}`;
        await retryBlocked(context, () => statement.execute(db));
      }
      break;
    case 'backfill': {
      const rows = await fillRows(migration, context);
      await record(db);
      return rows;
    }
  }
  await record(db);
  return 0;
}

function changeTables(migration: MigrationOf<'tables'>, context: Context): Promise<unknown> {
  const { db, name, record } = context;
  return retryBlocked(context, () =>
    db.transaction().execute(async (trx) => {
      if (!UNLIMITED.includes(name)) {
        await sql.raw(`set local lock_timeout = ${MAX_LOCK_MS}`).execute(trx);
        await sql.raw(`set local statement_timeout = ${MAX_LOCK_MS}`).execute(trx);
      }
      await migration.up(trx);
      await record(trx);
    }),
  );
}

/** An index of an interrupted try exists and is not valid: it is built anew. */
async function changeIndexes({ create = [], drop = [] }: MigrationOf<'indexes'>, { db }: Context) {
  for (const name of drop) await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db);
  for (const { name, unique, on } of create) {
    const { rows } = await sql<{ readonly isValid: boolean }>`
      select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(db);
    if (rows[0]?.isValid === false) await sql`drop index concurrently ${sql.ref(name)}`.execute(db);
    if (rows[0]?.isValid) continue;
    await sql`create ${sql.raw(unique ? 'unique ' : '')}index concurrently ${sql.ref(name)} on ${sql.raw(on)}`.execute(
      db,
    );
  }
}

/** Rests between batches for as long as each took, so that servers get at least half of the database. */
async function fillRows(migration: MigrationOf<'backfill'>, context: Context): Promise<number> {
  const { db, name, onProgress } = context;
  const total = await estimateRows(db, migration.table);
  let after: readonly string[] | null = null;
  let filled = 0;
  for (let done = 0; ; ) {
    const startedAt = performance.now();
    const from: readonly string[] | null = after;
    const batch: FilledBatch = await retryBlocked(context, () => fillBatch(db, migration, from));
    if (batch.last === null) return filled;
    after = batch.last;
    done += batch.seen;
    filled += batch.filled;
    onProgress({ name, done, total: Math.max(total, done) });
    await pause(Math.min(performance.now() - startedAt, MAX_PAUSE_MS));
  }
}

interface FilledBatch {
  readonly seen: number;
  readonly filled: number;
  /** The key of its last row; null if there was no row any more. */
  readonly last: readonly string[] | null;
}

async function fillBatch(
  db: Kysely<unknown>,
  { table, key, set, where }: MigrationOf<'backfill'>,
  after: readonly string[] | null,
): Promise<FilledBatch> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isLater = after === null ? sql`true` : sql`(${columns}) > (${sql.join(after)})`;
  const isSame = sql.join(
    key.map((column) => sql`${sql.ref(`filled.${column}`)} = ${sql.ref(`batch.${column}`)}`),
    sql` and `,
  );
  const asTexts = sql.join(key.map((column) => sql`${sql.ref(column)}::text`));
  const descending = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  const { rows } = await db.transaction().execute(async (trx) => {
    await sql.raw(`set local lock_timeout = ${MAX_LOCK_MS}`).execute(trx);
    return sql<FilledBatch>`
      with batch as materialized (
        select ${columns} from ${sql.table(table)} where ${isLater} order by ${columns} limit ${ROWS_PER_BATCH}
      ), changed as (
        update ${sql.table(table)} filled set ${sql.raw(set)} from batch where ${isSame} and (${sql.raw(where)})
        returning 1
      )
      select (select count(*)::integer from batch) as seen, (select count(*)::integer from changed) as filled,
        (select array[${asTexts}] from batch order by ${descending} limit 1) as last`.execute(trx);
  });
  return rows[0] ?? { seen: 0, filled: 0, last: null };
}

async function estimateRows(db: Kysely<unknown>, table: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select greatest(0, reltuples)::float8 as count from pg_class where oid = ${table}::regclass`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Gives up its place in the queue for a lock after a second, so that servers pass, and tries again. */
async function retryBlocked<Result>({ name }: Context, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBlocked(error)) throw error;
      if (tries === MAX_TRIES) {
        throw new SchemaError(
          'schema-locked',
          `${name} could not get its locks in ${MAX_TRIES} tries of a second, so nothing of it was changed. Look for a long transaction in pg_stat_activity, end it, and run handover migrate again.`,
        );
      }
      await pause(Math.min(100 * tries, MAX_PAUSE_MS));
    }
  }
}

/** A timeout of a lock or statement, or a deadlock. */
function isBlocked(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['55P03', '57014', '40P01'].includes(String(error.code))
  );
}
