import type { PendingInvitationMail } from '@handover/domain';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { HeldEmail, Preparing } from './prepare-email.ts';

type Invited = Pick<PendingInvitationMail, 'organisationName' | 'inviter' | 'role' | 'to' | 'expiresAt'>;

/** Completed, and kept, where the invitation is not open. */
export async function prepareInvitation(
  trx: Transaction<Schema>,
  { id, pendingSince, attempts }: HeldEmail,
  { orgId, now }: Preparing,
): Promise<PendingInvitationMail | { readonly kind: 'completed' }> {
  const { rows } = await sql<Invited>`
    select
      organisation.name as "organisationName", coalesce(inviter.name, inviter.email) as inviter, invitation.role,
      json_build_object('email', invitation.email, 'name', invitation.name) as "to",
      invitation.expires_at as "expiresAt"
    from invitations invitation
    join organisations organisation on organisation.id = ${orgId}
    join users inviter on inviter.id = invitation.invited_by
    where invitation.org_id = ${orgId} and invitation.id = ${id}
      and invitation.accepted_at is null and invitation.expires_at > ${now}
  `.execute(trx);
  const [row] = rows;
  return row ? { kind: 'invitation', id, orgId, ...row, pendingSince, attempts } : { kind: 'completed' };
}
