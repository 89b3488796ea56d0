import type { StoredSession } from '@handover/domain';
import { MAX_SESSIONS_PER_USER } from '@handover/domain';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema, Trx } from '../../../database/schema.ts';

/**
 * Every transaction that begins or ends sessions of a user locks the user's row first, then passkeys, sign-ins and sessions.
 * So they run one after the other, no limit is exceeded, and there is no deadlock.
 */
export async function lockUser(
  trx: Trx,
  id: string | SelectQueryBuilder<Schema, 'users' | 'sign_ins' | 'passkeys', { readonly id: string }>,
): Promise<{ readonly id: string } | undefined> {
  return trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Begins a session of a user whose row is locked. Ends sessions that have expired or exceed the limit. */
export async function beginSession(
  trx: Trx,
  userId: string,
  { hash, createdAt, expiresAt, client, lastSeenAt, confirmedAt }: StoredSession,
): Promise<void> {
  await trx
    .insertInto('user_sessions')
    .values({
      hash,
      user_id: userId,
      created_at: createdAt,
      expires_at: expiresAt,
      client,
      last_seen_at: lastSeenAt,
      confirmed_at: confirmedAt,
    })
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

/** Begins the session, or confirms the present one if it is of the same user, whose row is locked. */
export async function enterSession(
  trx: Trx,
  userId: string,
  session: StoredSession,
  present: string | null,
): Promise<'begun' | 'confirmed'> {
  const confirmed = await trx
    .updateTable('user_sessions')
    .set({ confirmed_at: session.createdAt })
    .where('hash', '=', present ?? '')
    .where('user_id', '=', userId)
    .where('expires_at', '>', session.createdAt)
    .executeTakeFirst();
  if (confirmed.numUpdatedRows > 0n) return 'confirmed';
  await beginSession(trx, userId, session);
  return 'begun';
}

/** Ends all sessions of a user whose row is locked, and withdraws the sign-ins that could begin one. */
export async function endSessions(trx: Trx, userId: string, keptHash: string | null = null): Promise<number> {
  await trx
    .updateTable('sign_ins')
    .set({ withdrawn: true })
    .where('user_id', '=', userId)
    .where('redeemed_at', 'is', null)
    .execute();
  const ended = await trx
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('hash', '!=', keptHash ?? '')
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}
