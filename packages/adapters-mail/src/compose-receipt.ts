import type { ReceiptMail } from '@handover/domain';
import { composeMessage } from './compose-message.ts';
import type { OutgoingMessage } from './format-message.ts';
import { renderReceipt } from './receipt/render-receipt.ts';
import type { Sender } from './sender.ts';

/** The mail that brings a buyer the links, or null when no mail can be sent to the buyer's address. */
export function composeReceipt(mail: ReceiptMail, sender: Sender): OutgoingMessage | null {
  const { mailId: id, organisation, to } = mail;
  const envelope = {
    subjectMatter: 'receipt',
    id,
    from: organisation.name,
    to,
    replyTo: organisation.replyTo,
  } as const;
  return composeMessage(renderReceipt(mail), envelope, sender);
}
