import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { processIdOf } from '../database/create-pool.ts';
import { initial } from './0001-initial.ts';
import { fewerIndexes } from './0002-fewer-indexes.ts';
import { tracedDeliveries } from './0003-traced-deliveries.ts';
import { columnsOfApiKeys } from './0004-columns-of-api-keys.ts';
import { namesOfApiKeys } from './0005-names-of-api-keys.ts';
import { manyApiKeys } from './0006-many-api-keys.ts';
import { needsYou } from './0007-needs-you.ts';
import { sessionsAndDevices } from './0008-sessions-and-devices.ts';
import { kindsOfEmails } from './0009-kinds-of-emails.ts';
import { languages } from './0010-languages.ts';
import { activityFilters } from './0011-activity-filters.ts';
import { passkeys } from './0012-passkeys.ts';
import { testOrders } from './0013-test-orders.ts';
import { fewTestOrders } from './0014-few-test-orders.ts';
import { rejectedAlerts } from './0015-rejected-alerts.ts';
import { causesOfAlerts } from './0016-causes-of-alerts.ts';
import { sharedSecrets } from './0017-shared-secrets.ts';
import { namesOfFiles } from './0018-names-of-files.ts';
import { bulkActions } from './0019-bulk-actions.ts';
import { removableContents } from './0020-removable-contents.ts';
import { tailsOfOrderIds } from './0021-tails-of-order-ids.ts';
import { genuineRejections } from './0022-genuine-rejections.ts';
import { waitingLines } from './0023-waiting-lines.ts';
import { namesWithoutAccents } from './0024-names-without-accents.ts';
import { revocations } from './0025-revocations.ts';
import { purchasesOfRevocations } from './0026-purchases-of-revocations.ts';
import { revokedLinks } from './0027-revoked-links.ts';
import { contentsOfReceipts } from './0028-contents-of-receipts.ts';
import { numbersOfRejected } from './0029-numbers-of-rejected.ts';
import { customersOfLinks } from './0030-customers-of-links.ts';
import { linksOfFormerCustomers } from './0031-links-of-former-customers.ts';
import { refunds } from './0032-refunds.ts';
import type { Migration } from './migration-kinds.ts';
import { type MigrationProgress, runMigration } from './run-migration.ts';
import {
  describeVersion,
  evaluateSchema,
  explainRefusal,
  readSchema,
  readVersion,
  refuseUnknown,
  type SchemaState,
  WITHOUT_LIMITS,
  withClient,
} from './schema-state.ts';

/** In order, numbered without gaps. Only append: installations record by name which migrations have run. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-fewer-indexes': fewerIndexes,
  '0003-traced-deliveries': tracedDeliveries,
  '0004-columns-of-api-keys': columnsOfApiKeys,
  '0005-names-of-api-keys': namesOfApiKeys,
  '0006-many-api-keys': manyApiKeys,
  '0007-needs-you': needsYou,
  '0008-sessions-and-devices': sessionsAndDevices,
  '0009-kinds-of-emails': kindsOfEmails,
  '0010-languages': languages,
  '0011-activity-filters': activityFilters,
  '0012-passkeys': passkeys,
  '0013-test-orders': testOrders,
  '0014-few-test-orders': fewTestOrders,
  '0015-rejected-alerts': rejectedAlerts,
  '0016-causes-of-alerts': causesOfAlerts,
  '0017-shared-secrets': sharedSecrets,
  '0018-names-of-files': namesOfFiles,
  '0019-bulk-actions': bulkActions,
  '0020-removable-contents': removableContents,
  '0021-tails-of-order-ids': tailsOfOrderIds,
  '0022-genuine-rejections': genuineRejections,
  '0023-waiting-lines': waitingLines,
  '0024-names-without-accents': namesWithoutAccents,
  '0025-revocations': revocations,
  '0026-purchases-of-revocations': purchasesOfRevocations,
  '0027-revoked-links': revokedLinks,
  '0028-contents-of-receipts': contentsOfReceipts,
  '0029-numbers-of-rejected': numbersOfRejected,
  '0030-customers-of-links': customersOfLinks,
  '0031-links-of-former-customers': linksOfFormerCustomers,
  '0032-refunds': refunds,
};

// Any number that no other lock uses.
const MIGRATION_LOCK = 7_204_816_335;
const TRY_LOCK_EVERY_MS = 50;

/** What a migration did. */
export interface MigrationReport {
  /** The name of the schema now: its last migration. */
  readonly schema: string;
  readonly applied: readonly AppliedMigration[];
}

export interface AppliedMigration {
  readonly name: string;
  readonly kind: Migration['kind'];
  readonly milliseconds: number;
  /** How many rows it filled in. */
  readonly rows: number;
}

interface MigrateOptions {
  /** The last migration to run; without it, all of this program. */
  readonly until?: string;
  readonly onProgress?: (progress: MigrationProgress) => void;
}

/**
 * Migrates the database to this version's tables, beside servers that run: see {@link Migration}. Of several
 * concurrent calls one migrates, and the others find it done. A database that is up to date costs one query. Each
 * migration is recorded when it is complete, so that an interrupted call can be repeated. Throws `SchemaError`, and
 * changes nothing, if the tables are of an unknown version.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<MigrationReport> {
  const wanted = listUntil(options.until);
  const schema = wanted.at(-1) ?? '';
  return withClient(url, 'migration', async (lock) => {
    if ((await readVersion(lock)) === versionAfter(wanted)) return { schema, applied: [] };
    await lockMigrations(lock);
    // A connection that waited may remember that there were no tables.
    const recorded = await withClient(url, 'schema', readSchema);
    const refusal = refuseUnknown(evaluateSchema(recorded, Object.keys(MIGRATIONS)));
    if (refusal) throw refusal;
    const applied = await withDatabase(url, async (db) => {
      const pending = wanted.filter((name) => !recorded.migrations.includes(name));
      const done: AppliedMigration[] = [];
      await prepareRecord(db);
      for (const name of pending) done.push(await apply(db, name, options));
      // A former program described the version in another way.
      if (pending.length === 0 && recorded.migrations.length === wanted.length) await describe(db, wanted);
      return done;
    });
    await lock.query('commit');
    return { schema, applied };
  });
}

/**
 * Makes the tables of a database that has none; refuses a schema that this program does not know, says what to do and
 * changes nothing. One query, if it is the schema of this program.
 */
export async function prepareSchema(url: string): Promise<SchemaState> {
  const state = await evaluateDatabase(url);
  const refusal = explainRefusal(state);
  if (refusal) throw refusal;
  if (state.kind !== 'empty') return state;
  await migrate(url);
  return { kind: 'current' };
}

async function evaluateDatabase(url: string): Promise<SchemaState> {
  const known = Object.keys(MIGRATIONS);
  return withClient(url, 'schema', async (client) => {
    if ((await readVersion(client)) === versionAfter(known)) return { kind: 'current' };
    const state = evaluateSchema(await readSchema(client), known);
    if (state.kind !== 'older') return state;
    // Another process may be making the first tables at this moment.
    await waitForMigration(client);
    return evaluateSchema(await withClient(url, 'schema', readSchema), known);
  });
}

/** Waits until no migration runs, for a minute at most. */
async function waitForMigration(client: pg.ClientBase): Promise<void> {
  await lockMigrations(client, AbortSignal.timeout(60_000));
  await client.query('rollback');
}

/**
 * Begins a transaction that holds the lock until it ends, so that it works through a pooler as well; gives up when the signal
 * says so. Each try is a transaction of its own: a concurrent index of the migration that runs waits for the end of every
 * transaction that had a snapshot when it looked. If a try left its transaction open, each would wait for the other for ever.
 * (A statement with parameters holds its snapshot until the next one: its portal stays open.)
 */
async function lockMigrations(client: pg.ClientBase, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    // The connection with the lock is idle for as long as the migration takes. In another isolation it would keep its snapshot.
    await client.query(`begin isolation level read committed; ${WITHOUT_LIMITS}`);
    const { rows } = await client.query<{ readonly locked: boolean }>(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as locked`,
    );
    if (rows[0]?.locked) return;
    await client.query('rollback');
    await pause(TRY_LOCK_EVERY_MS);
  }
}

/** The last migration that ran; null before any. */
export async function readSchemaName(url: string): Promise<string | null> {
  return withClient(url, 'schema', async (client) => (await readSchema(client)).migrations.at(-1) ?? null);
}

/** Whether this program can make and migrate that schema. */
export function isKnownSchema(name: string): boolean {
  return Object.hasOwn(MIGRATIONS, name);
}

/** Whether migrations lead from the one to the other. */
export function isOlderSchema(name: string, than: string): boolean {
  const names = Object.keys(MIGRATIONS);
  return names.includes(name) && names.indexOf(name) < names.indexOf(than);
}

/** The schema of this program. */
export function latestSchema(): string {
  return Object.keys(MIGRATIONS).at(-1) ?? '';
}

function listUntil(until: string | undefined): readonly string[] {
  const names = Object.keys(MIGRATIONS);
  return until === undefined ? names : names.slice(0, names.indexOf(until) + 1);
}

function versionAfter(names: readonly string[]): string {
  const oldest = names.map((name) => MIGRATIONS[name]?.compatibleWith ?? name);
  return describeVersion(names, oldest.toSorted().at(-1) ?? '');
}

async function apply(db: Kysely<unknown>, name: string, options: MigrateOptions): Promise<AppliedMigration> {
  const migration = MIGRATIONS[name];
  if (!migration) throw new Error(`There is no migration ${name}.`);
  const startedAt = performance.now();
  const rows = await runMigration(migration, {
    db,
    name,
    record: (within) => record(within, name),
    onProgress: options.onProgress ?? (() => undefined),
  });
  const milliseconds = Math.round(performance.now() - startedAt);
  return { name, kind: migration.kind, milliseconds, rows };
}

function prepareRecord(db: Kysely<unknown>): Promise<unknown> {
  return sql`create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
}

/** The version changes together with the tables, so that no program reads a former one. */
async function record(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp)
    values (${name}, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`.execute(
    db,
  );
  await describe(db, listUntil(name));
}

function describe(db: Kysely<unknown>, names: readonly string[]): Promise<unknown> {
  return sql`comment on table kysely_migration is ${sql.lit(versionAfter(names))}`.execute(db);
}

async function withDatabase<Result>(
  url: string,
  work: (db: Kysely<unknown>) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    application_name: 'handover migration',
    onConnect: forgoLimits,
  });
  pool.on('error', () => undefined);
  // The pool does not listen to a connection in use, and an unhandled 'error' ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/**
 * An index takes as long as it takes, whatever limit the role or the database has; migrations that must be short set
 * their own. Behind a pooler a setting would stay with a session that others get.
 */
async function forgoLimits(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout') and pg_backend_pid() = $1`,
    [processIdOf(client)],
  );
}
