import type { Platform } from '@handover/domain';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database/connect-database.ts';
import type { Db, Schema } from '../database/schema.ts';
import { withClient } from '../migrations/schema-state.ts';
import { inPages } from '../statements/in-pages.ts';
import { countRows } from '../statements/rows.ts';
import { secretContext } from '../stores/reads/access/connections.ts';
import type { SecretBox } from './secret-box.ts';

/** The context that encrypts the copy of an API key. */
export const API_KEY_CONTEXT = 'api-key';

/** The context that encrypts the secrets of the shared platform. */
export const SHARED_SECRET_CONTEXT = 'shared-secret';

/** A sealed text begins with characters that identify its key. */
const KEY_NUMBER_LENGTH = 4;

/** How much of one kind is sealed with one key. */
export interface SealedCount {
  readonly what: 'api-key' | 'connection-secret';
  readonly keyNumber: string;
  readonly count: number;
}

/** Counts the sealed texts of each key. A key without any can be removed. */
export async function countSealedByKey({ db }: Pick<Database, 'db'>): Promise<readonly SealedCount[]> {
  const { rows } = await sql.raw<SealedCount>(countTexts('')).execute(db);
  return rows;
}

/** The same of what is in use, for a program that has no composition. Former secrets do not count: they expire. */
export function countSealedInUse(url: string): Promise<readonly SealedCount[]> {
  return withClient(url, 'secrets', readSealedInUse);
}

export async function readSealedInUse(client: pg.ClientBase): Promise<readonly SealedCount[]> {
  const { rows } = await client.query<SealedCount>(countTexts('where expires_at is null'));
  return rows;
}

/** The condition is one of webhook secrets. */
function countTexts(condition: '' | 'where expires_at is null'): string {
  return `
    select what, left(sealed, ${KEY_NUMBER_LENGTH}) as "keyNumber", count(*)::integer as count
    from (
      select 'api-key' as what, sealed from api_keys
      union all
      select 'connection-secret', sealed from connection_secrets ${condition}
      union all
      select 'connection-secret', sealed from shared_secrets ${condition}
    ) sealed_texts
    group by 1, 2
    order by 1, 2`;
}

/**
 * The number of secrets in use that are sealed with a key other than these, of connections and, if it `usesShared`, of the
 * service. Former secrets do not count: they expire.
 */
export async function countUnreadableSecrets(
  { db }: Pick<Database, 'db'>,
  knownKeyNumbers: readonly string[],
  { usesShared }: { readonly usesShared: boolean },
): Promise<number> {
  return countRows(
    db,
    sql`select from (
        select sealed, expires_at from connection_secrets
        union all select sealed, expires_at from shared_secrets where ${usesShared}::boolean
      ) secrets
      where expires_at is null
        and left(sealed, ${KEY_NUMBER_LENGTH}::integer) <> all(${knownKeyNumbers}::text[])`,
  );
}

/** A connection whose secret is shorter than a new one may be. */
export interface ShortSecret {
  readonly orgId: string;
  readonly platform: Platform;
  readonly connection: string;
}

/** Connections that use a secret shorter than the current minimum, up to a limit. */
export async function listShortSecrets(
  { db }: Pick<Database, 'db'>,
  limit: number,
): Promise<readonly ShortSecret[]> {
  return db
    .selectFrom('connection_secrets as secret')
    .innerJoin('connections as connection', (join) =>
      join
        .onRef('connection.org_id', '=', 'secret.org_id')
        .onRef('connection.id', '=', 'secret.connection_id'),
    )
    .select(['connection.org_id as orgId', 'connection.platform', 'connection.name as connection'])
    .distinct()
    .where('secret.is_short', '=', true)
    .where('secret.expires_at', 'is', null)
    .orderBy('connection.org_id')
    .orderBy('connection.platform')
    .orderBy('connection.name')
    .limit(limit)
    .execute();
}

/** The boxes have different keys. */
export interface SecretBoxes {
  readonly apiKeys: SecretBox;
  readonly connectionSecrets: SecretBox;
}

/**
 * Seals with the current key what another key sealed, and returns the count. It is safe beside running servers and
 * beside another reseal: it updates one row at a time, only if the row is unchanged, so it never undoes a change nor
 * holds a row while it waits for another. What cannot be opened is left unchanged, and makes the promise reject after
 * all the rest is done.
 */
export async function reseal(
  { db }: Pick<Database, 'db'>,
  boxes: SecretBoxes,
  currentKeyNumber: string,
): Promise<number> {
  const failures: Failure[] = [];
  let count = 0;
  for (const table of listSealedTables(boxes)) {
    const resealed = await resealTable(db, table, currentKeyNumber);
    count += resealed.count;
    failures.push(...resealed.failures);
  }
  const [failure] = failures;
  if (failure) throw failure.cause;
  return count;
}

interface SealedTable {
  readonly name: keyof Schema;
  /** Its rows are read in the order of these columns, which identify one. */
  readonly key: readonly string[];
  readonly box: SecretBox;
  readonly contextOf: (row: SealedRow) => string;
}

interface SealedRow {
  readonly sealed: string;
  readonly [column: string]: string | undefined;
}

function listSealedTables({ apiKeys, connectionSecrets }: SecretBoxes): readonly SealedTable[] {
  return [
    { name: 'api_keys', key: ['hash'], box: apiKeys, contextOf: () => API_KEY_CONTEXT },
    {
      name: 'connection_secrets',
      key: ['org_id', 'id'],
      box: connectionSecrets,
      contextOf: ({ org_id = '', connection_id = '' }) => secretContext(org_id, connection_id),
    },
    { name: 'shared_secrets', key: ['id'], box: connectionSecrets, contextOf: () => SHARED_SECRET_CONTEXT },
  ];
}

interface Failure {
  readonly cause: unknown;
}

/** Repeats until no row was changed concurrently, possibly with a former key. */
async function resealTable(
  db: Db,
  table: SealedTable,
  currentKeyNumber: string,
): Promise<{ readonly count: number; readonly failures: readonly Failure[] }> {
  let count = 0;
  while (true) {
    const failures: Failure[] = [];
    let changed = 0;
    const rows = inPages<SealedRow>((after, limit) => fetchRows(db, table, currentKeyNumber, after, limit));
    for await (const row of rows) {
      const outcome = await resealRow(db, table, row);
      if (outcome === 'replaced') count += 1;
      else if (outcome === 'changed-meanwhile') changed += 1;
      else failures.push(outcome);
    }
    if (changed === 0) return { count, failures };
  }
}

async function fetchRows(
  db: Db,
  { name, key }: SealedTable,
  currentKeyNumber: string,
  after: SealedRow | null,
  limit: number,
): Promise<readonly SealedRow[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<SealedRow>`
    select * from ${sql.table(name)}
    where left(sealed, ${KEY_NUMBER_LENGTH}::integer) <> ${currentKeyNumber}
      ${after ? sql`and (${columns}) > (${sql.join(key.map((column) => after[column]))})` : sql``}
    order by ${columns}
    limit ${limit}
  `.execute(db);
  return rows;
}

async function resealRow(
  db: Db,
  { name, key, box, contextOf }: SealedTable,
  row: SealedRow,
): Promise<'replaced' | 'changed-meanwhile' | Failure> {
  const resealed = open(box, row.sealed, contextOf(row));
  if ('cause' in resealed) return resealed;
  const isRow = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
  const { numAffectedRows } = await sql`
    update ${sql.table(name)} set sealed = ${resealed.sealed}
    where ${sql.join(isRow, sql` and `)} and sealed = ${row.sealed}
  `.execute(db);
  return numAffectedRows === 1n ? 'replaced' : 'changed-meanwhile';
}

function open(box: SecretBox, sealed: string, context: string): { readonly sealed: string } | Failure {
  try {
    return { sealed: box.seal(box.unseal(sealed, context), context) };
  } catch (cause) {
    return { cause };
  }
}
