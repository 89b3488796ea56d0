import type { SignInMail } from '@handover/domain';
import { composeMessage } from './compose-message.ts';
import type { OutgoingMessage } from './format-message.ts';
import type { Sender } from './sender.ts';
import { renderSignIn } from './sign-in/render-sign-in.ts';

/** The mail that brings a one-time link, or null when no mail can be sent to the user's address. */
export function composeSignIn(mail: SignInMail, sender: Sender): OutgoingMessage | null {
  const to = { email: mail.to.email, name: mail.to.name ?? '' };
  const envelope = {
    subjectMatter: 'sign-in',
    id: mail.mailId,
    from: 'Handover',
    to,
    replyTo: null,
  } as const;
  return composeMessage(renderSignIn(mail), envelope, sender);
}
