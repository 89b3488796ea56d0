import type { InvitationRecord, Invitations, ListedInvitation } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertEmail } from '../email/insert-email.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addInvitation } from './add-invitation.ts';

const MAX_LISTED = 500;

export function createPostgresInvitations(db: Kysely<Schema>, jobs: JobOutbox): Invitations {
  return {
    add: (invitation) => addInvitation(db, jobs, invitation),

    list: async (orgId) => {
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
        left join users invited on invited.email_normalized = invitation.email_normalized
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
      const job = { kind: 'send-email', emailKind: 'invitation', orgId, emailId: invitationId } as const;
      const due = [{ ...job, startAfter: at }];
      const isRenewed = await runTransaction(db, async (trx) => {
        const renewed = await trx
          .updateTable('invitations')
          .set({ expires_at: expiresAt })
          .where('org_id', '=', orgId)
          .where('id', '=', invitationId)
          .where('accepted_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!renewed) return false;
        await insertEmail(trx, 'invitation', { orgId, id: invitationId, at });
        await jobs.enqueue(trx, due);
        return true;
      });
      if (isRenewed) jobs.wake(due);
      return isRenewed;
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
