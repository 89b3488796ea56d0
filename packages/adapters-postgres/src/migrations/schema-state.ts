import { createHash } from 'node:crypto';
import pg from 'pg';
import { asStoreError } from '../database/store-errors.ts';

/** What the database says of its schema. */
export interface RecordedSchema {
  /** The migrations that ran, in order. */
  readonly migrations: readonly string[];
  /** The migration that a program must know to use this schema; null if nothing says so. */
  readonly oldestProgram: string | null;
}

/** The schema, as a program sees it. */
export type SchemaState =
  | { readonly kind: 'current' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'older'; readonly pending: readonly string[] }
  /** A newer program migrated it, and this one may go on. */
  | { readonly kind: 'newer-compatible'; readonly latest: string }
  | { readonly kind: 'newer'; readonly latest: string }
  | { readonly kind: 'before-release' };

/** A rule over values: what a program that knows these migrations may do with a schema. */
export function evaluateSchema(
  { migrations, oldestProgram }: RecordedSchema,
  known: readonly string[],
): SchemaState {
  if (migrations.includes(BEFORE_RELEASE)) return { kind: 'before-release' };
  if (migrations.length === 0) return { kind: 'empty' };
  const latest = migrations.findLast((name) => !known.includes(name));
  const pending = known.filter((name) => !migrations.includes(name));
  if (latest === undefined) return pending.length === 0 ? { kind: 'current' } : { kind: 'older', pending };
  const mayGoOn = pending.length === 0 && oldestProgram !== null && known.includes(oldestProgram);
  return { kind: mayGoOn ? 'newer-compatible' : 'newer', latest };
}

/** The first migration of the unreleased list that was replaced. */
const BEFORE_RELEASE = '0001-first-tables';

/** The database has a schema that this program does not work with. The message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code: 'schema-outdated' | 'unknown-schema' | 'schema-locked';

  constructor(code: SchemaError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Why a program refuses a schema and changes nothing; null if it need not. It may make the tables of an empty one. */
export function explainRefusal(state: SchemaState): SchemaError | null {
  switch (state.kind) {
    case 'older':
      return new SchemaError(
        'schema-outdated',
        `The database is older than this program (it lacks ${state.pending.join(', ')}). Nothing of it was changed. Run: handover migrate`,
      );
    case 'newer':
    case 'before-release':
      return refuseUnknown(state);
    default:
      return null;
  }
}

/** A schema that this program can neither use nor migrate. */
export function refuseUnknown(state: SchemaState): SchemaError | null {
  if (state.kind === 'before-release') {
    return new SchemaError(
      'unknown-schema',
      'The database was set up by a version from before the first release, whose tables cannot be carried over. Nothing of it was changed. Start with an empty one: give another DATABASE_URL, or another DATA_DIR if you have none.',
    );
  }
  if (state.kind !== 'newer') return null;
  return new SchemaError(
    'unknown-schema',
    `This program is older than the database, which a newer version of Handover has migrated (it has ${state.latest}). Nothing of it was changed. Install that version or a later one, or import an export from before.`,
  );
}

/** A fingerprint of the migrations that ran, and the oldest program that may use the result. */
export function describeVersion(migrations: readonly string[], oldestProgram: string): string {
  const hash = createHash('sha256').update(JSON.stringify(migrations)).digest('hex');
  return `handover ${hash} ${oldestProgram}`;
}

/**
 * What the last migration wrote. It is the comment of the table of migrations, so that a dump contains it as well.
 */
export async function readVersion(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ readonly version: string | null }>(
    `select obj_description(to_regclass('kysely_migration'), 'pg_class') as version`,
  );
  return rows[0]?.version ?? null;
}

export async function readSchema(client: pg.ClientBase): Promise<RecordedSchema> {
  const version = await readVersion(client);
  const { rows } = await client.query<{ readonly migrated: boolean }>(
    `select to_regclass('kysely_migration') is not null as migrated`,
  );
  if (!rows[0]?.migrated) return { migrations: [], oldestProgram: null };
  const recorded = await client.query<{ readonly name: string }>(
    'select name from kysely_migration order by name',
  );
  return {
    migrations: recorded.rows.map(({ name }) => name),
    oldestProgram: version?.split(' ')[2] ?? null,
  };
}

/** Lifts the limits of a transaction that takes long, whichever the role or the database has. PostgreSQL 17 has one more. */
export const WITHOUT_LIMITS = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`;

/** Connects for a task of its own. A lost connection fails the query, and is thrown as the domain's error. */
export async function withClient<Result>(
  url: string,
  purpose: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `handover ${purpose}`,
    connectionTimeoutMillis: 10_000,
  });
  // The caller learns of a lost connection from its query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end();
  }
}
