import type { EmailMessage, MailAnswer } from '@handover/domain';
import { composeAlerts, refuseAddresses } from './compose-alerts.ts';
import { composeMessage, type Envelope, refuseAddress } from './compose-message.ts';
import type { OutgoingMessage } from './format-message.ts';
import { renderInvitation } from './invitation/render-invitation.ts';
import { renderDownloadLinkEmail } from './link-mail/render-download-link-email.ts';
import { senderName } from './link-mail/sender-name.ts';
import { type RenderedMail, renderReceipt } from './receipt/render-receipt.ts';
import type { Sender } from './sender.ts';
import { renderSignIn } from './sign-in/render-sign-in.ts';

type PersonalMail = Exclude<EmailMessage, { readonly kind: 'alert' }>;

/** The whole message, or null when its address cannot receive mail. */
export function composeEmail(mail: EmailMessage, sender: Sender): OutgoingMessage | null {
  if (mail.kind === 'alert') return composeAlerts(mail, sender);
  return composeMessage(renderMail(mail), addressMail(mail), sender);
}

/** The answer for that case; no mail server is asked. */
export function refuseRecipient(mail: EmailMessage): MailAnswer {
  return mail.kind === 'alert' ? refuseAddresses() : refuseAddress(mail.to.email);
}

function renderMail(mail: PersonalMail): RenderedMail {
  switch (mail.kind) {
    case 'receipt':
      return renderReceipt(mail);
    case 'links':
      return renderDownloadLinkEmail(mail);
    case 'invitation':
      return renderInvitation(mail);
    case 'sign-in':
      return renderSignIn(mail);
  }
}

function addressMail(mail: PersonalMail): Envelope {
  const { mailId: id, kind: subjectMatter } = mail;
  const to = { email: mail.to.email, name: mail.to.name ?? '' };
  switch (mail.kind) {
    case 'receipt':
      return { subjectMatter, id, from: mail.organisation.name, to, replyTo: mail.organisation.replyTo };
    // Sent in the shop's name, so that replies reach it; a mail about several shops has no Reply-To.
    case 'links': {
      const [shop, ...others] = mail.shops;
      return {
        subjectMatter,
        id,
        from: senderName(mail),
        to,
        replyTo: (others.length === 0 && shop?.replyTo) || null,
      };
    }
    default:
      return { subjectMatter, id, from: 'Handover', to, replyTo: null };
  }
}
