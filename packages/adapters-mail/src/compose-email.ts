import {
  type EmailMessage,
  formatsOf,
  type MailAnswer,
  OUR_PLATFORMS,
  type Platforms,
  readEmail,
} from '@handover/domain';
import { composeAlerts, refuseAddresses } from './compose-alerts.ts';
import type { OutgoingMessage } from './format-message.ts';
import { frameMessage } from './format-message.ts';
import { renderDownloadLinkEmail, senderName } from './letter/render-download-link-email.ts';
import { renderReceipt } from './letter/render-receipt.ts';
import type { RenderedMail } from './mail-page.ts';
import { oneLine } from './one-line.ts';
import type { Sender } from './sender.ts';
import { renderInvitation, renderNewDevice, renderSignIn } from './service-mail.ts';

type PersonalMail = Exclude<EmailMessage, { readonly kind: 'alert' }>;

/** The whole message, or null when its address cannot receive mail. */
export function composeEmail(
  mail: EmailMessage,
  sender: Sender,
  platforms: Platforms = OUR_PLATFORMS,
): OutgoingMessage | null {
  if (mail.kind === 'alert') return composeAlerts(mail, sender, platforms);
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
    case 'new-device':
      return renderNewDevice(mail);
  }
}

function addressMail(mail: PersonalMail): Envelope {
  const { mailId: id, kind: subjectMatter } = mail;
  const to = { email: mail.to.email, name: mail.to.name ?? '' };
  switch (mail.kind) {
    case 'receipt':
      return {
        subjectMatter,
        id,
        from: mail.organisation.name,
        to,
        replyTo: mail.organisation.replyTo,
        locale: formatsOf(mail.language).locale,
      };
    // Sent in the shop's name, so that replies reach it; a mail about several shops has no Reply-To.
    case 'links': {
      const [shop, ...others] = mail.shops;
      return {
        subjectMatter,
        id,
        from: senderName(mail),
        to,
        replyTo: (others.length === 0 && shop?.replyTo) || null,
        locale: formatsOf(mail.language).locale,
      };
    }
    default:
      return { subjectMatter, id, from: 'Handover', to, replyTo: null };
  }
}

const MAX_NAME_LENGTH = 100;

/** The sender, the recipient and the identity of a mail. */
interface Envelope {
  /** The kind of mail: the word before its id in the Message-ID. */
  readonly subjectMatter: 'receipt' | 'links' | 'sign-in' | 'new-device' | 'invitation';
  readonly id: string;
  readonly from: string;
  readonly to: { readonly email: string; readonly name: string };
  readonly replyTo: string | null;
  /** A language tag. Left out: English. */
  readonly locale?: string;
}

/** The whole message, or null when the recipient's address cannot receive mail. */
function composeMessage(rendered: RenderedMail, envelope: Envelope, sender: Sender): OutgoingMessage | null {
  const to = readEmail(envelope.to.email);
  if (to === null) return null;
  const replyTo = readEmail(envelope.replyTo);
  const from = oneLine(envelope.from, MAX_NAME_LENGTH);
  return {
    ...rendered,
    from: { name: from, address: sender.address },
    to: [{ name: oneLine(envelope.to.name, MAX_NAME_LENGTH), address: to }],
    ...(replyTo && { replyTo: { name: from, address: replyTo } }),
    ...frameMessage({ ...envelope, kind: envelope.subjectMatter, to: [to], sender }),
  };
}

/** The answer for an address that no mail server is asked about. */
function refuseAddress(email: string): MailAnswer {
  const address = oneLine(email, MAX_NAME_LENGTH);
  return { kind: 'refused', answer: `No mail can be sent to the address “${address}”.` };
}
