import type { UserSessions } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { endSessions, lockUser } from './session-bounds.ts';

export function createPostgresUserSessions(db: Kysely<Schema>): UserSessions {
  return {
    find: async (hash, now) => {
      const row = await db
        .selectFrom('user_sessions as session')
        .innerJoin('users', 'users.id', 'session.user_id')
        .leftJoin('organisations as organisation', 'organisation.id', 'users.org_id')
        .select(['users.id', 'users.email', 'users.name', 'users.org_id', 'users.role'])
        .select(['session.created_at', 'session.expires_at'])
        .select(['organisation.name as organisation_name', 'organisation.subscription_expires_at'])
        .where('session.hash', '=', hash)
        .where('session.expires_at', '>', now)
        .executeTakeFirst();
      if (!row) return null;
      const { org_id: orgId, role, organisation_name: organisationName } = row;
      const isMember = orgId !== null && role !== null && organisationName !== null;
      const subscriptionExpiresAt = row.subscription_expires_at;
      return {
        userId: row.id,
        email: row.email,
        name: row.name,
        membership: isMember ? { orgId, role, organisationName, subscriptionExpiresAt } : null,
        session: { hash, createdAt: row.created_at, expiresAt: row.expires_at },
      };
    },

    prolong: async (hash, expiresAt) => {
      await db
        .updateTable('user_sessions')
        .set({ expires_at: expiresAt })
        .where('hash', '=', hash)
        .where('expires_at', '<', expiresAt)
        .execute();
    },

    end: async (hash) => {
      const ended = await db.deleteFrom('user_sessions').where('hash', '=', hash).executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    endAll: async (userId) => {
      if (!areIds(userId)) return;
      await runTransaction(db, async (trx) => {
        await lockUser(trx, (users) => users.where('id', '=', userId));
        await endSessions(trx, userId);
      });
    },
  };
}
