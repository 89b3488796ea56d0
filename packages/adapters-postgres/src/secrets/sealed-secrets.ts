import type { Platform } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/connect-database.ts';
import type { Schema } from '../database/schema.ts';
import { inPages } from '../statements/in-pages.ts';
import { secretContext } from '../stores/reads/access/connections.ts';
import type { SecretBox } from './secret-box.ts';

/** The context that encrypts the copy of an API key. */
export const API_KEY_CONTEXT = 'api-key';

/** The context that encrypts the secrets of the shared platform. */
export const SHARED_SECRET_CONTEXT = 'shared-secret';

/** A sealed text begins with characters that identify its key. */
const KEY_NUMBER_LENGTH = 4;

export interface SealedCount {
  readonly what: 'api-key' | 'connection-secret';
  readonly keyNumber: string;
  readonly count: number;
}

/** Counts what is sealed with which key. A key without entries can be removed. */
export async function countSealedByKey({ db }: Pick<Database, 'db'>): Promise<readonly SealedCount[]> {
  const { rows } = await sql<SealedCount>`
    select what, left(sealed, ${KEY_NUMBER_LENGTH}::integer) as "keyNumber", count(*)::integer as count
    from (
      select 'api-key' as what, sealed from api_keys
      union all
      select 'connection-secret', sealed from connection_secrets
      union all
      select 'connection-secret', sealed from shared_secrets
    ) sealed_texts
    group by 1, 2
    order by 1, 2
  `.execute(db);
  return rows;
}

/**
 * The number of secrets in use by connections that are sealed with a key other than these. Former secrets do not
 * count: they expire.
 */
export async function countUnreadableSecrets(
  { db }: Pick<Database, 'db'>,
  knownKeyNumbers: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count from (
      select sealed, expires_at from connection_secrets union all select sealed, expires_at from shared_secrets
    ) secrets
    where expires_at is null
      and left(sealed, ${KEY_NUMBER_LENGTH}::integer) <> all(${knownKeyNumbers}::text[])
  `.execute(db);
  return rows[0]?.count ?? 0;
}

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

interface Boxes {
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
  boxes: Boxes,
  currentKeyNumber: string,
): Promise<number> {
  const apiKeys = await resealAll(
    (after: ApiKeyRow | null, limit) => fetchApiKeys(db, currentKeyNumber, after, limit),
    (row) => replaceApiKey(db, row, open(boxes.apiKeys, row.sealed, API_KEY_CONTEXT)),
  );
  const secrets = await resealAll(
    (after: SecretRow | null, limit) => fetchSecrets(db, currentKeyNumber, after, limit),
    (row) => {
      const context = secretContext(row.org_id, row.connection_id);
      return replaceSecret(db, row, open(boxes.connectionSecrets, row.sealed, context));
    },
  );
  const shared = await resealAll(
    (after: SharedSecretRow | null, limit) => fetchSharedSecrets(db, currentKeyNumber, after, limit),
    (row) => replaceSharedSecret(db, row, open(boxes.connectionSecrets, row.sealed, SHARED_SECRET_CONTEXT)),
  );
  const [failure] = [...apiKeys.failures, ...secrets.failures, ...shared.failures];
  if (failure) throw failure.cause;
  return apiKeys.count + secrets.count + shared.count;
}

type Outcome = 'replaced' | 'changed-meanwhile' | { readonly cause: unknown };
type Resealed = { readonly sealed: string } | { readonly cause: unknown };

/** Repeats until no row was changed concurrently, possibly with a former key. */
async function resealAll<Row>(
  fetchPage: (after: Row | null, limit: number) => Promise<readonly Row[]>,
  replace: (row: Row) => Promise<Outcome>,
): Promise<{ readonly count: number; readonly failures: readonly { readonly cause: unknown }[] }> {
  let count = 0;
  while (true) {
    const failures: { readonly cause: unknown }[] = [];
    let changed = 0;
    for await (const row of inPages<Row>(fetchPage)) {
      const outcome = await replace(row);
      if (outcome === 'replaced') count += 1;
      else if (outcome === 'changed-meanwhile') changed += 1;
      else failures.push(outcome);
    }
    if (changed === 0) return { count, failures };
  }
}

function open(box: SecretBox, sealed: string, context: string): Resealed {
  try {
    return { sealed: box.seal(box.unseal(sealed, context), context) };
  } catch (cause) {
    return { cause };
  }
}

interface ApiKeyRow {
  readonly hash: string;
  readonly sealed: string;
}

function fetchApiKeys(db: Kysely<Schema>, currentKeyNumber: string, after: ApiKeyRow | null, limit: number) {
  return db
    .selectFrom('api_keys')
    .select(['hash', 'sealed'])
    .where(notUnder(currentKeyNumber))
    .$if(after !== null, (query) => query.where('hash', '>', after?.hash ?? ''))
    .orderBy('hash')
    .limit(limit)
    .execute();
}

async function replaceApiKey(db: Kysely<Schema>, row: ApiKeyRow, resealed: Resealed): Promise<Outcome> {
  if ('cause' in resealed) return resealed;
  const replaced = await db
    .updateTable('api_keys')
    .set({ sealed: resealed.sealed })
    .where('hash', '=', row.hash)
    .where('sealed', '=', row.sealed)
    .returning('hash')
    .executeTakeFirst();
  return replaced ? 'replaced' : 'changed-meanwhile';
}

interface SecretRow {
  readonly org_id: string;
  readonly id: string;
  readonly connection_id: string;
  readonly sealed: string;
}

function fetchSecrets(db: Kysely<Schema>, currentKeyNumber: string, after: SecretRow | null, limit: number) {
  return db
    .selectFrom('connection_secrets')
    .select(['org_id', 'id', 'connection_id', 'sealed'])
    .where(notUnder(currentKeyNumber))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(org_id, id) > (${after?.org_id}, ${after?.id})`),
    )
    .orderBy('org_id')
    .orderBy('id')
    .limit(limit)
    .execute();
}

async function replaceSecret(db: Kysely<Schema>, row: SecretRow, resealed: Resealed): Promise<Outcome> {
  if ('cause' in resealed) return resealed;
  const replaced = await db
    .updateTable('connection_secrets')
    .set({ sealed: resealed.sealed })
    .where('org_id', '=', row.org_id)
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .returning('id')
    .executeTakeFirst();
  return replaced ? 'replaced' : 'changed-meanwhile';
}

type SharedSecretRow = Pick<SecretRow, 'id' | 'sealed'>;

function fetchSharedSecrets(
  db: Kysely<Schema>,
  currentKeyNumber: string,
  after: SharedSecretRow | null,
  limit: number,
) {
  return db
    .selectFrom('shared_secrets')
    .select(['id', 'sealed'])
    .where(notUnder(currentKeyNumber))
    .$if(after !== null, (query) => query.where('id', '>', after?.id ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();
}

async function replaceSharedSecret(
  db: Kysely<Schema>,
  row: SharedSecretRow,
  resealed: Resealed,
): Promise<Outcome> {
  if ('cause' in resealed) return resealed;
  const replaced = await db
    .updateTable('shared_secrets')
    .set({ sealed: resealed.sealed })
    .where('id', '=', row.id)
    .where('sealed', '=', row.sealed)
    .returning('id')
    .executeTakeFirst();
  return replaced ? 'replaced' : 'changed-meanwhile';
}

function notUnder(keyNumber: string) {
  return sql<boolean>`left(sealed, ${KEY_NUMBER_LENGTH}::integer) <> ${keyNumber}`;
}
