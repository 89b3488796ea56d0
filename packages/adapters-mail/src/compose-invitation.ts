import type { InvitationMail } from '@handover/domain';
import { composeMessage } from './compose-message.ts';
import type { OutgoingMessage } from './format-message.ts';
import { renderInvitation } from './invitation/render-invitation.ts';
import type { Sender } from './sender.ts';

/** The mail that invites somebody, or null when no mail can be sent to that person's address. */
export function composeInvitation(mail: InvitationMail, sender: Sender): OutgoingMessage | null {
  const envelope = {
    subjectMatter: 'invitation',
    id: mail.mailId,
    from: 'Handover',
    to: { email: mail.to.email, name: mail.to.name ?? '' },
    replyTo: null,
  } as const;
  return composeMessage(renderInvitation(mail), envelope, sender);
}
