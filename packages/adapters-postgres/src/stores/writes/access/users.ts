import type { StoredApiKey, User, Users } from '@handover/domain';
import { normalizeEmail } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { readUsers } from '../../reads/access/users.ts';
import { putDefaultKey, resetKeys } from './api-keys.ts';
import { endSessions } from './session-bounds.ts';

export function createPostgresUsers(db: Db): Users {
  return {
    ...readUsers(db),

    add: async (user, key) => {
      if (user.membership && !areIds(user.membership.orgId)) return 'unknown-organisation';
      try {
        return await transact<User | 'email-taken'>(db, async (trx, giveUp) => {
          await lockAddress(trx, normalizeEmail(user.email));
          await acceptInvitations(trx, user);
          const joined = await joinOrganisation(trx, user, key);
          return joined === 'email-taken' ? giveUp(joined) : joined;
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'unknown-organisation';
        throw error;
      }
    },

    replaceKey: async (userId, key) => {
      if (!areIds(userId)) return 'unknown-user';
      return (await putDefaultKey(db, userId, key)) ? 'replaced' : 'unknown-user';
    },
  };
}

/**
 * Locks the user of that address, if there is one. Every transaction locks users before invitations, to avoid deadlocks: an
 * insert of an address waits for a change of its user, such as a removal that withdraws the user's invitations next.
 */
export async function lockAddress(trx: Trx, normalizedEmail: string): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('email_normalized', '=', normalizedEmail)
    .forNoKeyUpdate()
    .execute();
}

/**
 * Adds the user. If the address has a user without an organisation, that user joins instead, with a new key and all sessions
 * ended. The row decides between concurrent calls.
 */
export async function joinOrganisation(
  trx: Trx,
  user: User,
  key: StoredApiKey,
): Promise<User | 'email-taken'> {
  if ((await insertUser(trx, user, key)) === 'added') return user;
  const { membership } = user;
  if (!membership) return 'email-taken';
  const joined = await trx
    .updateTable('users')
    .set({ org_id: membership.orgId, role: membership.role, name: sql`coalesce(name, ${user.name})` })
    .where('email_normalized', '=', normalizeEmail(user.email))
    .where('org_id', 'is', null)
    .returning(['id', 'email', 'name', 'created_at as createdAt'])
    .executeTakeFirst();
  if (!joined) return 'email-taken';
  await revokeAccess(trx, joined.id, key);
  return { ...joined, membership };
}

/** Replaces all API keys of a user whose row is locked by one, removes passkeys and ends every session. */
export async function revokeAccess(trx: Trx, userId: string, key: StoredApiKey): Promise<void> {
  await resetKeys(trx, userId, key);
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await endSessions(trx, userId);
}

/** A user who joined in another way has accepted the invitation. */
async function acceptInvitations(trx: Trx, { membership, email, createdAt }: User): Promise<void> {
  if (!membership) return;
  await trx
    .updateTable('invitations')
    .set({ accepted_at: createdAt })
    .where('org_id', '=', membership.orgId)
    .where('email_normalized', '=', normalizeEmail(email))
    .where('accepted_at', 'is', null)
    .execute();
}

/** Nothing is checked before the insert: the unique address decides between concurrent calls. */
export async function insertUser(trx: Trx, user: User, key: StoredApiKey): Promise<'added' | 'email-taken'> {
  const added = await trx
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      email_normalized: normalizeEmail(user.email),
      name: user.name,
      org_id: user.membership?.orgId ?? null,
      role: user.membership?.role ?? null,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.column('email_normalized').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return 'email-taken';
  await putDefaultKey(trx, user.id, key);
  return 'added';
}
