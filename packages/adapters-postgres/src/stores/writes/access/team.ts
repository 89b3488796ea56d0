import type { Role, Team } from '@handover/domain';
import { mayGiveRoles, ROLES } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { revokeAccess } from './users.ts';

const MAX_MEMBERS = 500;

export function createPostgresTeam(db: Db): Team {
  return {
    list: async (orgId) => {
      if (!areIds(orgId)) return [];
      return selectMembers(db, orgId).orderBy('created_at').orderBy('id').limit(MAX_MEMBERS).execute();
    },

    find: async (orgId, userId) => {
      if (!areIds(orgId, userId)) return null;
      return (await selectMembers(db, orgId).where('id', '=', userId).executeTakeFirst()) ?? null;
    },

    setRole: async (orgId, userId, role) =>
      areIds(orgId, userId) ? runTransaction(db, (trx) => setRole(trx, orgId, userId, role)) : 'unknown-user',

    remove: async (orgId, userId, { from, key }) => {
      if (!areIds(orgId, userId)) return 'unknown-user';
      return runTransaction(db, async (trx) => {
        const outcome = await setRole(trx, orgId, userId, { from, to: null });
        if (outcome !== 'set') return outcome;
        await revokeAccess(trx, userId, key);
        return 'removed';
      });
    },
  };
}

function selectMembers(db: Db, orgId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', sql<Role>`role`.as('role'), 'created_at as createdAt'])
    .where('org_id', '=', orgId);
}

/** Locks all owners in one order, so that two owners who step down at once do it one after the other. */
async function setRole(
  trx: Trx,
  orgId: string,
  userId: string,
  { from, to }: { readonly from: Role; readonly to: Role | null },
): Promise<'set' | 'last-owner' | 'unknown-user'> {
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
    .returning('email_normalized')
    .executeTakeFirst();
  if (!changed) return 'unknown-user';
  await withdrawInvitations(trx, orgId, userId, to);
  if (to === null) await withdrawInvitationsTo(trx, orgId, changed.email_normalized);
  return 'set';
}

/** Invitations that the inviter may no longer give. An invitation is only added under a lock on the inviter's row. */
async function withdrawInvitations(
  trx: Trx,
  orgId: string,
  userId: string,
  role: Role | null,
): Promise<void> {
  const kept = ROLES.filter((given) => role !== null && mayGiveRoles(role, [given]));
  await trx
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('role', '!=', sql<Role>`all(${kept}::text[])`)
    .execute();
}

/** An invitation that was made while its person joined is still open, and would let them back in. */
async function withdrawInvitationsTo(trx: Trx, orgId: string, normalizedEmail: string): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where('email_normalized', '=', normalizedEmail)
    .where('accepted_at', 'is', null)
    .execute();
}
