import type { LinkMail } from '@handover/domain';
import { letterHtml } from '../letter/letter-html.ts';
import { letterText } from '../letter/letter-text.ts';
import type { RenderedMail } from '../receipt/render-receipt.ts';
import { linkMailWords } from './link-mail-words.ts';

/** Lays out the mail that brings a buyer new links. */
export function renderLinkMail(mail: LinkMail): RenderedMail {
  const words = linkMailWords(mail);
  return { subject: words.subject, html: letterHtml(words), text: letterText(words) };
}
