import type { StoredSession } from '@handover/domain';
import { MAX_SESSIONS_PER_USER } from '@handover/domain';
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/**
 * Every transaction that begins or ends sessions of a user locks the user's row first, then sign-ins, then sessions.
 * So they run one after the other, no limit is exceeded, and there is no deadlock.
 */
export async function lockUser(
  trx: Transaction<Schema>,
  which: (users: SelectQueryBuilder<Schema, 'users', object>) => SelectQueryBuilder<Schema, 'users', object>,
): Promise<{ readonly id: string } | undefined> {
  return which(trx.selectFrom('users')).select('id').forNoKeyUpdate().executeTakeFirst();
}

/** Begins a session of a user whose row is locked. Ends sessions that are expired or exceed the limit. */
export async function beginSession(
  trx: Transaction<Schema>,
  userId: string,
  { hash, createdAt, expiresAt }: StoredSession,
): Promise<void> {
  await trx
    .insertInto('user_sessions')
    .values({ hash, user_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute();
  await sql`
    delete from user_sessions where user_id = ${userId} and (
      expires_at <= ${createdAt} or hash in (
        select hash from user_sessions where user_id = ${userId}
        order by created_at desc, hash = ${hash} desc, hash offset ${MAX_SESSIONS_PER_USER}
      )
    )
  `.execute(trx);
}

/** Ends all sessions of a user whose row is locked, and withdraws the sign-ins that could begin one. */
export async function endSessions(trx: Transaction<Schema>, userId: string): Promise<void> {
  await trx
    .updateTable('sign_ins')
    .set({ withdrawn: true })
    .where('user_id', '=', userId)
    .where('redeemed_at', 'is', null)
    .execute();
  await trx.deleteFrom('user_sessions').where('user_id', '=', userId).execute();
}
