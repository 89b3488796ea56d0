import type { SignedIn, StoredSession, UserSessions } from '@handover/domain';
import { MAX_SESSIONS_PER_USER } from '@handover/domain';
import type { Selectable } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { endSessions, enterSession, lockUser } from './session-bounds.ts';

export function createPostgresUserSessions(db: Db): UserSessions {
  return {
    find: (hash, now) => findSignedIn(db, hash, now),

    begin: async (userId, session, present) => {
      if (!areIds(userId)) return 'unknown-user';
      return runTransaction(db, async (trx) => {
        const user = await lockUser(trx, userId);
        return user ? enterSession(trx, user.id, session, present) : 'unknown-user';
      });
    },

    prolong: async (hash, { lastSeenAt, expiresAt }) => {
      await db
        .updateTable('user_sessions')
        .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
        .where('hash', '=', hash)
        .where((session) => session(session.fn.coalesce('last_seen_at', 'created_at'), '<', lastSeenAt))
        .execute();
    },

    list: (userId, now) => listSessions(db, userId, now),

    endOne: async (userId, hash) => {
      if (!areIds(userId)) return false;
      const ended = await db
        .deleteFrom('user_sessions')
        .where('user_id', '=', userId)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    end: async (hash) => {
      const ended = await db.deleteFrom('user_sessions').where('hash', '=', hash).executeTakeFirst();
      return ended.numDeletedRows > 0n;
    },

    endAll: async (userId, keptHash) => {
      if (!areIds(userId)) return 0;
      return runTransaction(db, async (trx) => {
        await lockUser(trx, userId);
        return endSessions(trx, userId, keptHash);
      });
    },
  };
}

async function findSignedIn(db: Db, hash: string, now: Date): Promise<SignedIn | null> {
  const row = await db
    .selectFrom('user_sessions as session')
    .innerJoin('users', 'users.id', 'session.user_id')
    .leftJoin('organisations as organisation', 'organisation.id', 'users.org_id')
    .select(['users.id', 'users.email', 'users.name', 'users.org_id', 'users.role'])
    .select(SESSION_COLUMNS)
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
    session: toSession(row),
  };
}

async function listSessions(db: Db, userId: string, now: Date): Promise<readonly StoredSession[]> {
  if (!areIds(userId)) return [];
  const rows = await db
    .selectFrom('user_sessions as session')
    .select(SESSION_COLUMNS)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy((session) => session.fn.coalesce('last_seen_at', 'created_at'), 'desc')
    .orderBy('hash')
    .limit(MAX_SESSIONS_PER_USER)
    .execute();
  return rows.map(toSession);
}

const SESSION_COLUMNS = [
  'session.hash',
  'session.created_at',
  'session.expires_at',
  'session.client',
  'session.last_seen_at',
  'session.confirmed_at',
] as const;

/** A session from before these columns counts as seen and confirmed at its beginning. */
function toSession(row: Omit<Selectable<Schema['user_sessions']>, 'user_id'>): StoredSession {
  const { hash, created_at: createdAt, expires_at: expiresAt, client } = row;
  const times = { lastSeenAt: row.last_seen_at ?? createdAt, confirmedAt: row.confirmed_at ?? createdAt };
  return { hash, createdAt, expiresAt, client, ...times };
}
