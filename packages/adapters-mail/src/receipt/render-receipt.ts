import type { ReceiptMail } from '@handover/domain';
import { letterHtml } from '../letter/letter-html.ts';
import { letterText } from '../letter/letter-text.ts';
import { receiptWords } from './receipt-words.ts';

export interface RenderedMail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** Renders the mail with a buyer's links. */
export function renderReceipt(mail: ReceiptMail): RenderedMail {
  const words = receiptWords(mail);
  return { subject: words.subject, html: String(letterHtml(words)), text: letterText(words) };
}
