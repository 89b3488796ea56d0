import type { MailAnswer, ReceiptMail } from '@handover/domain';
import { readEmail } from '@handover/domain';
import type { SendMailOptions } from 'nodemailer';
import { oneLine } from './one-line.ts';
import { renderReceipt } from './receipt/render-receipt.ts';
import type { Sender } from './sender.ts';

const MAX_NAME_LENGTH = 100;

/** The whole message, or null when no mail can be sent to the recipient's address. */
export function composeReceipt(mail: ReceiptMail, sender: Sender): SendMailOptions | null {
  const to = readEmail(mail.to.email);
  if (to === null) return null;
  const replyTo = readEmail(mail.organisation.replyTo);
  const shop = oneLine(mail.organisation.name, MAX_NAME_LENGTH);
  return {
    ...renderReceipt(mail),
    from: { name: shop, address: sender.address },
    to: { name: oneLine(mail.to.name, MAX_NAME_LENGTH), address: to },
    ...(replyTo && { replyTo: { name: shop, address: replyTo } }),
    // Named apart from the headers, so that no spelling of a header can add a recipient.
    envelope: { from: sender.address, to: [to] },
    messageId: messageIdOf(mail.receiptId, sender),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // Keeps Gmail from folding two orders of one buyer into a single conversation.
      'X-Entity-Ref-ID': oneLine(mail.receiptId, MAX_NAME_LENGTH),
      'Content-Language': 'en-GB',
    },
    // Links are long: no other encoding promises to leave them in one piece.
    encoding: 'quoted-printable',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The answer for an address that no mail server needs to be asked about. */
export function refuseAddress(mail: ReceiptMail): MailAnswer {
  const address = oneLine(mail.to.email, MAX_NAME_LENGTH);
  return { kind: 'refused', answer: `No mail can be sent to the address “${address}”.` };
}

/** The same for every try of a receipt, so that a copy can be told to be one. */
function messageIdOf(receiptId: string, sender: Sender): string {
  const id = receiptId.replace(/[^A-Za-z0-9-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return `<receipt-${id}@${sender.domain}>`;
}
