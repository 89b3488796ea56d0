import type {
  Invitation,
  InvitationRecord,
  Invitations,
  ListedInvitation,
  Role,
  TeamMember,
} from '@handover/domain';
import { mayGiveRoles, normalizeEmail, ROLES } from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { queueEmail } from '../email/queue-email.ts';
import { beginSession, lockUser } from './session-bounds.ts';
import { joinOrganisation, lockAddress } from './users.ts';

const MAX_LISTED = 500;

export function createPostgresInvitations(db: Db, jobs: JobOutbox): Invitations {
  return {
    add: (invitation) => addInvitation(db, jobs, invitation),

    list: (orgId) => listOpen(db, orgId),

    find: (orgId, invitationId) => findRecord(db, orgId, invitationId),

    renew: async (orgId, invitationId, { at, expiresAt }) => {
      if (!areIds(orgId, invitationId)) return false;
      return commitAndWake(db, jobs, async (trx, queue) => {
        const renewed = await trx
          .updateTable('invitations')
          .set({ expires_at: expiresAt })
          .where('org_id', '=', orgId)
          .where('id', '=', invitationId)
          .where('accepted_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (renewed) await queueEmail(trx, queue, { kind: 'invitation', orgId, id: invitationId, at });
        return renewed !== undefined;
      });
    },

    withdraw: async (orgId, invitationId) => {
      if (!areIds(orgId, invitationId)) return false;
      const withdrawn = await db
        .deleteFrom('invitations')
        .where('org_id', '=', orgId)
        .where('id', '=', invitationId)
        .where('accepted_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return withdrawn !== undefined;
    },

    accept: async (orgId, invitationId, acceptance) =>
      areIds(orgId, invitationId) ? acceptInvitation(db, { orgId, invitationId, ...acceptance }) : null,
  };
}

async function listOpen(db: Db, orgId: string): Promise<readonly ListedInvitation[]> {
  if (!areIds(orgId)) return [];
  const rows = await db
    .selectFrom('invitations as invitation')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .innerJoin('outgoing_emails as mail', (join) =>
      join.on('mail.org_id', '=', orgId).onRef('mail.id', '=', 'invitation.id'),
    )
    .select(['invitation.id', 'invitation.email', 'invitation.name', 'invitation.role'])
    .select(['invitation.created_at as createdAt', 'expires_at as expiresAt'])
    .select(['mail.status', 'mail.last_answer as answer'])
    .select(sql<string>`coalesce(inviter.name, inviter.email)`.as('inviter'))
    .where('invitation.org_id', '=', orgId)
    .where('accepted_at', 'is', null)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(
    ({ status, answer, ...row }): ListedInvitation => ({
      ...row,
      mail: { status, answer },
    }),
  );
}

async function findRecord(db: Db, orgId: string, invitationId: string): Promise<InvitationRecord | null> {
  if (!areIds(orgId, invitationId)) return null;
  const { rows } = await sql<InvitationRecord>`
    select
      invitation.id, invitation.org_id as "orgId", invitation.email, invitation.name, invitation.role,
      invitation.created_at as "createdAt", invitation.expires_at as "expiresAt",
      invitation.accepted_at as "acceptedAt",
      organisation.name as "organisationName",
      organisation.subscription_expires_at as "subscriptionExpiresAt",
      coalesce(inviter.name, inviter.email) as inviter,
      case when elsewhere.id is not null then json_build_object(
        'orgId', elsewhere.id, 'organisationName', elsewhere.name
      ) end as "memberOf"
    from invitations invitation
    join organisations organisation on organisation.id = invitation.org_id
    join users inviter on inviter.id = invitation.invited_by
    left join users invited on invited.email_normalized = invitation.email_normalized
    left join organisations elsewhere on elsewhere.id = invited.org_id
    where invitation.org_id = ${orgId} and invitation.id = ${invitationId}
  `.execute(db);
  return rows[0] ?? null;
}

type Acceptance = Parameters<Invitations['accept']>[2] & {
  readonly orgId: string;
  readonly invitationId: string;
};

/** Conditional updates, one after the other: the first that finds a changed state rolls all of them back. */
function acceptInvitation(db: Db, acceptance: Acceptance): Promise<TeamMember | null> {
  return transact<TeamMember | null>(db, async (trx, giveUp) => {
    await lockInvited(trx, acceptance);
    const accepted = await takeInvitation(trx, acceptance);
    if (!accepted) return null;
    const { orgId, at, userId, key, session } = acceptance;
    const { email, name, role } = accepted;
    const membership = { orgId, role };
    const joined = await joinOrganisation(trx, { id: userId, email, name, membership, createdAt: at }, key);
    if (joined === 'email-taken') return giveUp(null);
    await lockUser(trx, joined.id);
    await beginSession(trx, joined.id, session);
    return { id: joined.id, email: joined.email, name: joined.name, role, createdAt: joined.createdAt };
  });
}

async function lockInvited(trx: Trx, { orgId, invitationId }: Acceptance): Promise<void> {
  const invited = await trx
    .selectFrom('invitations')
    .select('email_normalized as email')
    .where('org_id', '=', orgId)
    .where('id', '=', invitationId)
    .executeTakeFirst();
  if (invited) await lockAddress(trx, invited.email);
}

/** Of two concurrent calls, the second waits for the first and then finds the invitation accepted. */
async function takeInvitation(trx: Trx, { orgId, invitationId, at }: Acceptance) {
  const { rows } = await sql<{ readonly email: string; readonly name: string | null; readonly role: Role }>`
    update invitations set accepted_at = ${at}
    from organisations organisation
    where invitations.org_id = ${orgId} and invitations.id = ${invitationId}
      and invitations.accepted_at is null and invitations.expires_at > ${at}
      and organisation.id = invitations.org_id
      and (organisation.subscription_expires_at is null or organisation.subscription_expires_at > ${at})
    returning invitations.email, invitations.name, invitations.role
  `.execute(trx);
  return rows[0] ?? null;
}

/** How long an invitation is kept after it ends, so that its link can say why. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

type Outcome = Awaited<ReturnType<Invitations['add']>>;

/**
 * The unique address decides between two concurrent calls. The inviter's row is locked, so that the role does not change
 * meanwhile. Not with `for share`: on a distributed database, where `users` is on every node, two concurrent calls would both
 * hold the shared lock and both wait for a stronger one.
 */
function addInvitation(db: Db, jobs: JobOutbox, invitation: Invitation): Promise<Outcome> {
  const { id, orgId, email, name, role, invitedBy, createdAt, expiresAt } = invitation;
  const emailNormalized = normalizeEmail(email);
  return commitAndWake<Outcome>(db, jobs, async (trx, queue, giveUp) => {
    if (!(await lockInviter(trx, invitation))) return 'not-allowed';
    await removeExpired(trx, invitation);
    const added = await trx
      .insertInto('invitations')
      .values({
        org_id: orgId,
        id,
        email,
        email_normalized: emailNormalized,
        name,
        role,
        invited_by: invitedBy,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'email_normalized']).where('accepted_at', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!added) return giveUp('already-invited');
    // Checked last: by now a concurrent acceptance of an invitation for this address has committed and made its user
    // a member.
    const member = await trx
      .selectFrom('users')
      .select('id')
      .where('org_id', '=', orgId)
      .where('email_normalized', '=', emailNormalized)
      .executeTakeFirst();
    if (member) giveUp('already-member');
    await queueEmail(trx, queue, { kind: 'invitation', orgId, id, at: createdAt });
    return 'added';
  });
}

/** Whether the inviter is a member who may give the role. */
async function lockInviter(trx: Trx, { invitedBy, orgId, role }: Invitation): Promise<boolean> {
  const inviter = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', invitedBy)
    .where('org_id', '=', orgId)
    .where('role', '=', sql<Role>`any(${ROLES.filter((own) => mayGiveRoles(own, [role]))}::text[])`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return inviter !== undefined;
}

/** Deletes invitations that expired long ago, and an expired one for the same address. */
async function removeExpired(trx: Trx, { orgId, email, createdAt }: Invitation): Promise<void> {
  await trx
    .deleteFrom('invitations')
    .where('org_id', '=', orgId)
    .where(({ and, or, eb }) =>
      or([
        eb('expires_at', '<', new Date(createdAt.getTime() - KEPT_MS)),
        and([
          eb('email_normalized', '=', normalizeEmail(email)),
          eb('accepted_at', 'is', null),
          eb('expires_at', '<=', createdAt),
        ]),
      ]),
    )
    .execute();
}
