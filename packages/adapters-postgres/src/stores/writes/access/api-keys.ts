import type { ApiKeyRecord, StoredApiKey, UserApiKeys } from '@handover/domain';
import { DEFAULT_KEY_NAME, KEY_USE_INTERVAL_MS, MAX_API_KEYS_PER_USER } from '@handover/domain';
import { type Selectable, sql } from 'kysely';
import type { Db, Schema, Trx } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { countRows } from '../../../statements/rows.ts';
import { lockUser } from './session-bounds.ts';

export function createPostgresUserApiKeys(db: Db): UserApiKeys {
  return {
    list: async (userId) => {
      if (!areIds(userId)) return [];
      const rows = await db
        .selectFrom('api_keys')
        .select(COLUMNS)
        .where('user_id', '=', userId)
        .orderBy((key) => key('name', '=', DEFAULT_KEY_NAME), 'desc')
        .orderBy(sql`name collate "C"`)
        .limit(MAX_API_KEYS_PER_USER)
        .execute();
      return rows.map(toRecord);
    },

    add: (userId, key) => addKey(db, userId, key),

    replace: (userId, name, replacement) => replaceKey(db, userId, name, replacement),

    revoke: async (userId, name) => {
      if (!areIds(userId)) return null;
      const revoked = await db
        .deleteFrom('api_keys')
        .where('user_id', '=', userId)
        .where('name', '=', name)
        .returning(COLUMNS)
        .executeTakeFirst();
      return revoked ? toRecord(revoked) : null;
    },

    recordUses: async (hashes, at) => {
      // Skips a key that is being changed: recording its use is not worth waiting, nor a deadlock.
      await sql`
        update api_keys set last_used_at = ${at}
        from (
          select hash from api_keys
          where hash = any(${hashes}::text[])
            and (last_used_at is null or last_used_at <= ${new Date(at.getTime() - KEY_USE_INTERVAL_MS)})
          for no key update skip locked
        ) due
        where api_keys.hash = due.hash
      `.execute(db);
    },
  };
}

async function addKey(db: Db, userId: string, key: ApiKeyRecord) {
  if (!areIds(userId)) return 'unknown-user';
  return transact<Awaited<ReturnType<UserApiKeys['add']>>>(db, async (trx, giveUp) => {
    // Concurrent calls for one user run one after the other, so that the limit is not exceeded.
    if (!(await lockUser(trx, userId))) return 'unknown-user';
    const { createdAt, expiresAt, lastUsedAt, scopes, name, hash, sealed } = key;
    const added = await trx
      .insertInto('api_keys')
      .values({
        user_id: userId,
        name,
        hash,
        sealed,
        scopes: scopes && [...scopes],
        created_at: createdAt,
        expires_at: expiresAt,
        last_used_at: lastUsedAt,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doNothing())
      .returning('name')
      .executeTakeFirst();
    if (!added) return 'name-taken';
    const count = await countRows(trx, sql`select from api_keys where user_id = ${userId}`);
    return count > MAX_API_KEYS_PER_USER ? giveUp('too-many') : 'added';
  });
}

async function replaceKey(
  db: Db,
  userId: string,
  name: string,
  { stored: { hash, sealed }, at }: Parameters<UserApiKeys['replace']>[2],
) {
  if (!areIds(userId)) return null;
  const replaced = await db
    .updateTable('api_keys')
    .set({
      hash,
      sealed,
      created_at: at,
      // As `renewExpiry`: the former creation time is null for a key without an end. Times without a zone: see nextUpdate.
      expires_at: sql<Date | null>`(
        expires_at at time zone 'utc'
          + (${at}::timestamptz at time zone 'utc' - coalesce(created_at, ${at}) at time zone 'utc')
      ) at time zone 'utc'`,
      last_used_at: null,
    })
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .returning(COLUMNS)
    .executeTakeFirst();
  return replaced ? toRecord(replaced) : null;
}

const COLUMNS = ['name', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'hash', 'sealed'] as const;

type KeyRow = Pick<Selectable<Schema['api_keys']>, (typeof COLUMNS)[number]>;

function toRecord({ name, scopes, hash, sealed, ...times }: KeyRow): ApiKeyRecord {
  const { created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt } = times;
  return { name, scopes, createdAt, expiresAt, lastUsedAt, hash, sealed };
}

/** Adds or replaces the default key of a user. Returns whether the user exists. */
export async function putDefaultKey(
  db: Db,
  userId: string,
  { hash, sealed }: StoredApiKey,
): Promise<boolean> {
  const { rows } = await sql`
    insert into api_keys (user_id, name, hash, sealed)
    select id, ${DEFAULT_KEY_NAME}, ${hash}, ${sealed} from users where id = ${userId}
    on conflict (user_id, name) do update set
      hash = excluded.hash, sealed = excluded.sealed,
      scopes = null, created_at = null, expires_at = null, last_used_at = null
    returning name
  `.execute(db);
  return rows.length > 0;
}

/** Makes this the only key of a user whose row is locked. */
export async function resetKeys(trx: Trx, userId: string, key: StoredApiKey): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute();
  await putDefaultKey(trx, userId, key);
}
