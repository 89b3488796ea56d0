import {
  acceptInvitation,
  createUser,
  type Inviter,
  inviteUser,
  lookAtInvitation,
  type Role,
} from '@handover/domain';
import { sendsEmail } from '../complete-emails.ts';
import {
  createFakeInvitationTokens,
  createFakeSessionTokens,
  createFakeSignInTokens,
  type Shop,
} from '../samples.ts';
import type { MailShop } from './harness.ts';

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** A shop whose owner invites, and the person who opens the link. */
export async function openInviter(opened: MailShop, { orgId }: Shop = opened.shop) {
  const invitationTokens = createFakeInvitationTokens('');
  const ports = {
    ...opened,
    ...opened.stores,
    invitationTokens,
    signInTokens: createFakeSignInTokens(''),
    sessionTokens: createFakeSessionTokens(),
  };
  const [owner] = await ports.team.list(orgId);
  if (!owner) throw new Error('The shop has no owner.');
  const inviter: Inviter = { orgId, userId: owner.id, role: 'owner' };
  const invite = (email: string, role: Role = 'member', as = inviter) =>
    inviteUser(ports, as, { email, name: 'Jo', role });
  const tokenOf = (id: string) => invitationTokens.url(orgId, id).slice('/dashboard/invitations/'.length);
  return {
    opened,
    ports,
    orgId,
    inviter,
    inviterEmail: owner.email,
    inviterName: owner.name ?? owner.email,
    invite,
    /** Invites, and answers with the id. */
    invited: async (...wanted: Parameters<typeof invite>) => {
      const result = await invite(...wanted);
      if (result.kind !== 'invited') throw new Error(`The sample invitation: ${result.kind}`);
      return result.invitation.id;
    },
    look: (id: string) => lookAtInvitation(ports, tokenOf(id)),
    accept: (id: string) => acceptInvitation(ports, tokenOf(id), 'Firefox on Linux, 203.0.113.0/24'),
    /** As the operator of the installation may. */
    addMember: async (email: string, role: Role): Promise<Inviter> => {
      const created = await createUser(ports, { email, name: null, membership: { orgId, role } });
      if (created.kind !== 'created') throw new Error(created.kind);
      return { orgId, userId: created.user.id, role };
    },
  };
}

export async function invitationJobs({ opened }: { readonly opened: MailShop }) {
  return (await opened.queuedJobs()).filter(sendsEmail('invitation'));
}
