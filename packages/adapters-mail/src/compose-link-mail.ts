import type { LinkMail } from '@handover/domain';
import type { SendMailOptions } from 'nodemailer';
import { composeMessage } from './compose-message.ts';
import { renderLinkMail } from './link-mail/render-link-mail.ts';
import { senderName } from './link-mail/sender-name.ts';
import type { Sender } from './sender.ts';

/**
 * The whole message, or null when no mail can be sent to the recipient's address. It comes in the name of the shop, which
 * reads the answers, unless it is of several: then there is nobody who could read them all.
 */
export function composeLinkMail(mail: LinkMail, sender: Sender): SendMailOptions | null {
  const [shop] = mail.shops;
  const envelope = {
    subjectMatter: 'links',
    id: mail.mailId,
    from: senderName(mail),
    to: mail.to,
    replyTo: mail.shops.length === 1 ? (shop?.replyTo ?? null) : null,
  } as const;
  return composeMessage(renderLinkMail(mail), envelope, sender);
}
