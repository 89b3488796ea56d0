import type { InvitationMail, PendingInvitationMail } from '../model/invitation.ts';
import type { InvitationTokens } from '../ports/invitations.ts';

export function composeInvitation(
  { id, pendingSince, attempts: _attempts, ...mail }: PendingInvitationMail,
  tokens: InvitationTokens,
): InvitationMail {
  return { ...mail, mailId: `${id}-${pendingSince.getTime()}`, url: tokens.url(mail.orgId, id) };
}
