import {
  acceptInvitation,
  createUser,
  type Inviter,
  inviteUser,
  lookAtInvitation,
  type Role,
} from '@handover/domain';
import type { Shop } from '../samples.ts';
import type { MailShop } from './harness.ts';
import { listEmailJobs } from './shop-actions.ts';

export const HOUR = 60 * 60 * 1000;
export const DAY = 24 * HOUR;

/** A shop whose owner invites people, and the person who opens the link. */
export async function openInviter<Opened extends MailShop>(opened: Opened, { orgId }: Shop = opened.shop) {
  const [owner] = await opened.team.list(orgId);
  if (!owner) throw new Error('The shop has no owner.');
  const inviter: Inviter = { orgId, userId: owner.id, role: 'owner' };
  const invite = (email: string, role: Role = 'member', as = inviter) =>
    inviteUser(opened, as, { email, name: 'Jo', role });
  const tokenOf = (id: string) =>
    opened.invitationTokens.url(orgId, id).slice('/dashboard/invitations/'.length);
  return {
    ...opened,
    orgId,
    inviter,
    inviterEmail: owner.email,
    inviterName: owner.name ?? owner.email,
    invite,
    /** Invites, and returns the id of the invitation. */
    invited: async (...wanted: Parameters<typeof invite>) => {
      const result = await invite(...wanted);
      if (result.kind !== 'invited') throw new Error(`The sample invitation: ${result.kind}`);
      return result.invitation.id;
    },
    look: (id: string) => lookAtInvitation(opened, tokenOf(id)),
    accept: (id: string) => acceptInvitation(opened, tokenOf(id), 'Firefox on Linux, 203.0.113.0/24'),
    /** Adds a member as the operator of the installation does. */
    addMember: async (email: string, role: Role): Promise<Inviter> => {
      const created = await createUser(opened, { email, name: null, membership: { orgId, role } });
      if (created.kind !== 'created') throw new Error(created.kind);
      return { orgId, userId: created.user.id, role };
    },
  };
}

export function invitationJobs(opened: MailShop) {
  return listEmailJobs(opened, 'invitation');
}
