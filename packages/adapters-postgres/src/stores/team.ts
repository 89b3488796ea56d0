import type { Role, StoredApiKey, Team, TeamMember, User } from '@handover/domain';
import { foldEmail } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import { runTransaction, transact } from '../transact.ts';
import { insertUser } from './users.ts';

const MOST_MEMBERS = 500;

export function createPostgresTeam(db: Kysely<Schema>): Team {
  return {
    list: async (orgId) => {
      if (!areIds(orgId)) return [];
      const rows = await selectMembers(db, orgId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(MOST_MEMBERS)
        .execute();
      return rows.map(toMember);
    },

    find: async (orgId, userId) => {
      if (!areIds(orgId, userId)) return null;
      const row = await selectMembers(db, orgId).where('id', '=', userId).executeTakeFirst();
      return row ? toMember(row) : null;
    },

    join: (user, key) => join(db, user, key),

    setRole: async (orgId, userId, role) =>
      areIds(orgId, userId) ? setRole(db, orgId, userId, role) : 'unknown-user',
  };
}

function selectMembers(db: Kysely<Schema>, orgId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', sql<Role>`role`.as('role'), 'created_at'])
    .where('org_id', '=', orgId);
}

/** Whoever is on record already joins if nobody has him; the row says who was first. */
async function join(db: Kysely<Schema>, user: User, key: StoredApiKey): Promise<TeamMember | 'email-taken'> {
  const { membership } = user;
  if (!membership) throw new Error('The user joins no organisation.');
  return transact<TeamMember | 'email-taken'>(db, async (trx) => {
    if ((await insertUser(trx, user, key)) === 'added') {
      const { id, email, name, createdAt } = user;
      return { id, email, name, role: membership.role, createdAt };
    }
    const joined = await trx
      .updateTable('users')
      .set({ org_id: membership.orgId, role: membership.role })
      .where('email_folded', '=', foldEmail(user.email))
      .where('org_id', 'is', null)
      .returning(['id', 'email', 'name', sql<Role>`role`.as('role'), 'created_at'])
      .executeTakeFirst();
    return joined ? toMember(joined) : 'email-taken';
  });
}

/** The owners are locked, all and in one order, so that two who step down at once come one after the other. */
async function setRole(
  db: Kysely<Schema>,
  orgId: string,
  userId: string,
  { from, to }: { readonly from: Role; readonly to: Role | null },
): Promise<'set' | 'last-owner' | 'unknown-user'> {
  return runTransaction(db, async (trx) => {
    const owners = await trx
      .selectFrom('users')
      .select('id')
      .where('org_id', '=', orgId)
      .where('role', '=', 'owner')
      .orderBy('id')
      .forUpdate()
      .execute();
    const isLast = owners.length === 1 && owners[0]?.id === userId.toLowerCase();
    if (isLast && to !== 'owner') return 'last-owner';
    const changed = await trx
      .updateTable('users')
      .set(to === null ? { org_id: null, role: null } : { role: to })
      .where('org_id', '=', orgId)
      .where('id', '=', userId)
      .where('role', '=', from)
      .returning('id')
      .executeTakeFirst();
    return changed ? 'set' : 'unknown-user';
  });
}

function toMember(row: {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly created_at: Date;
}): TeamMember {
  return { id: row.id, email: row.email, name: row.name, role: row.role, createdAt: row.created_at };
}
