import type { Invitations, Role, TeamMember } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { beginSession, lockUser } from './session-bounds.ts';
import { joinOrganisation } from './users.ts';

type Acceptance = Parameters<Invitations['accept']>[2] & {
  readonly orgId: string;
  readonly invitationId: string;
};

/** Conditional updates, one after the other: the first that finds a changed state rolls all of them back. */
export function acceptInvitation(db: Kysely<Schema>, acceptance: Acceptance): Promise<TeamMember | null> {
  return transact<TeamMember | null>(db, async (trx, giveUp) => {
    const accepted = await takeInvitation(trx, acceptance);
    if (!accepted) return null;
    const { orgId, at, userId, key, session } = acceptance;
    const { email, name, role } = accepted;
    const membership = { orgId, role };
    const joined = await joinOrganisation(trx, { id: userId, email, name, membership, createdAt: at }, key);
    if (joined === 'email-taken') return giveUp(null);
    await lockUser(trx, (users) => users.where('id', '=', joined.id));
    await beginSession(trx, joined.id, session);
    return { id: joined.id, email: joined.email, name: joined.name, role, createdAt: joined.createdAt };
  });
}

/** Of two at once, the second waits for the first and then finds the invitation accepted. */
async function takeInvitation(trx: Transaction<Schema>, { orgId, invitationId, at }: Acceptance) {
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
