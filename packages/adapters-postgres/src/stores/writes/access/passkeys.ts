import type { Passkey, Passkeys } from '@handover/domain';
import { MAX_PASSKEYS_PER_USER } from '@handover/domain';
import { type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { countRows } from '../../../statements/rows.ts';
import { lockUser } from './session-bounds.ts';

export function createPostgresPasskeys(db: Db): Passkeys {
  return {
    list: async (userId) => {
      if (!areIds(userId)) return [];
      const rows = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy(sql`id collate "C"`)
        .limit(MAX_PASSKEYS_PER_USER)
        .execute();
      return rows.map(toPasskey);
    },

    find: async (id) => {
      const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toPasskey(row) : null;
    },

    add: (passkey) => addPasskey(db, passkey),

    remove: async (userId, id) => {
      if (!areIds(userId)) return null;
      const removed = await db
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return removed ? toPasskey(removed) : null;
    },

    use: (id, used) => usePasskey(db, id, used),

    addChallenge: async ({ challenge, userId, expiresAt }) => {
      await db
        .insertInto('passkey_challenges')
        .values({ challenge, user_id: userId, expires_at: expiresAt })
        .execute();
    },

    takeChallenge: async (challenge, userId, now) => {
      if (!areIds(userId)) return false;
      const taken = await db
        .deleteFrom('passkey_challenges')
        .where('challenge', '=', challenge)
        .where('user_id', 'is not distinct from', userId)
        .returning('expires_at')
        .executeTakeFirst();
      return taken !== undefined && taken.expires_at > now;
    },
  };
}

async function addPasskey(
  db: Db,
  { id, userId, name, publicKey, counter, transports, createdAt, lastUsedAt }: Passkey,
) {
  if (!areIds(userId)) return 'unknown-user';
  return transact<Awaited<ReturnType<Passkeys['add']>>>(db, async (trx, giveUp) => {
    // Concurrent calls for one user run one after the other, so that the limit is not exceeded.
    if (!(await lockUser(trx, userId))) return 'unknown-user';
    const added = await trx
      .insertInto('passkeys')
      .values({
        id,
        user_id: userId,
        name,
        public_key: publicKey,
        counter,
        transports: [...transports],
        created_at: createdAt,
        last_used_at: lastUsedAt,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) return 'known';
    const count = await countRows(trx, sql`select from passkeys where user_id = ${userId}`);
    return count > MAX_PASSKEYS_PER_USER ? giveUp('too-many') : 'added';
  });
}

function usePasskey(db: Db, id: string, { counter, at }: { readonly counter: number; readonly at: Date }) {
  return runTransaction(db, async (trx) => {
    // Locks in the same order as the functions that end sessions: first the user, then passkeys.
    const passkey = trx.selectFrom('passkeys').where('id', '=', id);
    if (!(await lockUser(trx, passkey.select('user_id as id')))) return null;
    const used = await trx
      .updateTable('passkeys')
      .set({ counter, last_used_at: at })
      .where('id', '=', id)
      // As in `isNextUse` of the domain.
      .where(sql<boolean>`(${counter} > counter or (${counter}::bigint = 0 and counter = 0))`)
      .returning('user_id')
      .executeTakeFirst();
    return used?.user_id ?? null;
  });
}

function toPasskey(row: Selectable<Schema['passkeys']>): Passkey {
  const { id, name, transports } = row;
  const times = { createdAt: row.created_at, lastUsedAt: row.last_used_at };
  return {
    id,
    userId: row.user_id,
    name,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports,
    ...times,
  };
}
