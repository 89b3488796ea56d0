import type { InvitationRecord, Invitations, ListedInvitation } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { ClaimLeases } from '../claim-leases.ts';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addInvitation } from './add-invitation.ts';
import { createClaims } from './claim-renewal.ts';
import { claimInvitationMail, queueMail, settleInvitationMail } from './invitation-mails.ts';

const MAX_LISTED = 500;

export function createPostgresInvitations(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  leases: ClaimLeases,
): Invitations {
  const claims = createClaims(db, 'invitations', leases);
  return {
    add: (invitation) => addInvitation(db, jobs, invitation),

    list: async (orgId) => {
      if (!areIds(orgId)) return [];
      const rows = await db
        .selectFrom('invitations as invitation')
        .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
        .select(['invitation.id', 'invitation.email', 'invitation.name', 'invitation.role'])
        .select(['invitation.created_at as createdAt', 'expires_at as expiresAt'])
        .select(['mail_status', 'mail_answer'])
        .select(sql<string>`coalesce(inviter.name, inviter.email)`.as('inviter'))
        .where('invitation.org_id', '=', orgId)
        .where('accepted_at', 'is', null)
        .orderBy('invitation.created_at', 'desc')
        .orderBy('invitation.id', 'desc')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(
        ({ mail_status: status, mail_answer: answer, ...row }): ListedInvitation => ({
          ...row,
          mail: { status, answer },
        }),
      );
    },

    find: async (orgId, invitationId) => {
      if (!areIds(orgId, invitationId)) return null;
      const { rows } = await sql<
        Omit<InvitationRecord, 'memberOf'> & {
          readonly memberOfId: string | null;
          readonly memberOfName: string | null;
        }
      >`
        select
          invitation.id, invitation.org_id as "orgId", invitation.email, invitation.name, invitation.role,
          invitation.created_at as "createdAt", invitation.expires_at as "expiresAt",
          invitation.accepted_at as "acceptedAt",
          organisation.name as "organisationName",
          organisation.subscription_expires_at as "subscriptionExpiresAt",
          coalesce(inviter.name, inviter.email) as inviter,
          elsewhere.id as "memberOfId", elsewhere.name as "memberOfName"
        from invitations invitation
        join organisations organisation on organisation.id = invitation.org_id
        join users inviter on inviter.id = invitation.invited_by
        left join users invited on invited.email_folded = invitation.email_normalized
        left join organisations elsewhere on elsewhere.id = invited.org_id
        where invitation.org_id = ${orgId} and invitation.id = ${invitationId}
      `.execute(db);
      const [row] = rows;
      if (!row) return null;
      const { memberOfId, memberOfName, ...record } = row;
      const isMember = memberOfId !== null && memberOfName !== null;
      return { ...record, memberOf: isMember ? { orgId: memberOfId, organisationName: memberOfName } : null };
    },

    renew: async (orgId, invitationId, { at, expiresAt }) => {
      if (!areIds(orgId, invitationId)) return false;
      const mail = { mail_status: 'owed', mail_owed_since: at, mail_due_at: at } as const;
      return queueMail(db, jobs, { orgId, invitationId, startAfter: at }, (trx) =>
        trx
          .updateTable('invitations')
          .set({ expires_at: expiresAt, ...mail, mail_attempts: 0, mail_answer: null })
          .set({ claim_id: null, claimed_until: null })
          .where('org_id', '=', orgId)
          .where('id', '=', invitationId)
          .where('accepted_at', 'is', null)
          .returning('id')
          .executeTakeFirst(),
      );
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

    claimMail: async (orgId, invitationId, now) =>
      areIds(orgId, invitationId)
        ? claims.take({ orgId, id: invitationId }, (claimId) =>
            claimInvitationMail(db, { orgId, invitationId, claimId, now }),
          )
        : { kind: 'settled' },

    settleMail: (orgId, invitationId, claimId, outcome) =>
      claims.end({ orgId, id: invitationId, claimId }, () =>
        settleInvitationMail(db, jobs, { orgId, invitationId, claimId, outcome }),
      ),

    releaseMail: (orgId, invitationId, claimId) => claims.release({ orgId, id: invitationId, claimId }),
  };
}
