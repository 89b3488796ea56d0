import type { InvitationTokens } from '../ports.ts';
import type { InvitationMail, PendingInvitationMail } from './invitation.ts';

export function composeInvitation(
  { id, pendingSince, attempts: _attempts, ...mail }: PendingInvitationMail,
  tokens: InvitationTokens,
): InvitationMail {
  return { ...mail, mailId: `${id}-${pendingSince.getTime()}`, url: tokens.url(mail.orgId, id) };
}
