import {
  mayGiveRoles,
  ROLES,
  type Role,
  refuseTeamChange,
  type Team,
  type TeamChange,
  type TeamRefusal,
} from '@handover/domain';
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

    setRole: async (orgId, userId, role) => {
      if (!areIds(orgId, userId)) return 'unknown-user';
      return runTransaction(db, async (trx) => (await changeTeam(trx, orgId, { userId, ...role })) ?? 'set');
    },

    remove: async (orgId, userId, { by, from, key }) => {
      if (!areIds(orgId, userId)) return 'unknown-user';
      return runTransaction(db, async (trx) => {
        const refusal = await changeTeam(trx, orgId, { by, userId, from, to: null });
        if (refusal !== null) return refusal;
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

/**
 * Locks everybody whose role decides about the change, in one order, so that conflicting changes of a team run one after the
 * other. Inserts that refer to one of them, such as a member's new key, need not wait for this lock.
 */
async function changeTeam(trx: Trx, orgId: string, change: TeamChange): Promise<TeamRefusal | null> {
  const { by, to } = change;
  const userId = change.userId.toLowerCase();
  const team = await trx
    .selectFrom('users')
    .select(['id', sql<Role>`role`.as('role')])
    .where('org_id', '=', orgId)
    .where(({ or, eb }) =>
      or([eb('role', '=', 'owner'), eb('id', 'in', [userId, ...(areIds(by) ? [by] : [])])]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const refusal = refuseTeamChange(team, { ...change, userId });
  if (refusal !== null) return refusal;
  const { email_normalized: email } = await trx
    .updateTable('users')
    .set(to === null ? { org_id: null, role: null } : { role: to })
    .where('org_id', '=', orgId)
    .where('id', '=', userId)
    .returning('email_normalized')
    .executeTakeFirstOrThrow();
  await withdrawInvitations(trx, orgId, userId, to);
  if (to === null) await withdrawInvitationsTo(trx, orgId, email);
  return null;
}

/** Withdraws invitations that the inviter may no longer make. They are only added under a lock on the inviter's row. */
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

/** An invitation that was made while its person joined in another way is still open, and would let a removed member join again. */
async function withdrawInvitationsTo(trx: Trx, orgId: string, normalizedEmail: string): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where('email_normalized', '=', normalizedEmail)
    .where('accepted_at', 'is', null)
    .execute();
}
