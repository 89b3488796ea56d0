import type { DownloadLinkEmail } from '@handover/domain';
import { composeMessage } from './compose-message.ts';
import type { OutgoingMessage } from './format-message.ts';
import { renderDownloadLinkEmail } from './link-mail/render-download-link-email.ts';
import { senderName } from './link-mail/sender-name.ts';
import type { Sender } from './sender.ts';

/**
 * The whole message, or null when no mail can be sent to the recipient's address. It comes in the name of the shop, which
 * reads the answers, unless it is of several: then there is nobody who could read them all.
 */
export function composeDownloadLinkEmail(mail: DownloadLinkEmail, sender: Sender): OutgoingMessage | null {
  const [shop] = mail.shops;
  const envelope = {
    subjectMatter: 'links',
    id: mail.mailId,
    from: senderName(mail),
    to: mail.to,
    replyTo: mail.shops.length === 1 ? (shop?.replyTo ?? null) : null,
  } as const;
  return composeMessage(renderDownloadLinkEmail(mail), envelope, sender);
}
