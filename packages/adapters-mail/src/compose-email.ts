import type { EmailMessage, MailAnswer } from '@handover/domain';
import { composeAlerts, refuseAddresses } from './compose-alerts.ts';
import { composeDownloadLinkEmail } from './compose-download-link-email.ts';
import { composeInvitation } from './compose-invitation.ts';
import { refuseAddress } from './compose-message.ts';
import { composeReceipt } from './compose-receipt.ts';
import { composeSignIn } from './compose-sign-in.ts';
import type { OutgoingMessage } from './format-message.ts';
import type { Sender } from './sender.ts';

/** The whole message, or null when no mail can be sent to its address. */
export function composeEmail(mail: EmailMessage, sender: Sender): OutgoingMessage | null {
  switch (mail.kind) {
    case 'receipt':
      return composeReceipt(mail, sender);
    case 'links':
      return composeDownloadLinkEmail(mail, sender);
    case 'alert':
      return composeAlerts(mail, sender);
    case 'invitation':
      return composeInvitation(mail, sender);
    case 'sign-in':
      return composeSignIn(mail, sender);
  }
}

/** The answer then, for which no mail server needs to be asked. */
export function refuseRecipient(mail: EmailMessage): MailAnswer {
  return mail.kind === 'alert' ? refuseAddresses() : refuseAddress(mail.to.email);
}
