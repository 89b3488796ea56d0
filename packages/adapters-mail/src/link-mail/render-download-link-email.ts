import type { DownloadLinkEmail } from '@handover/domain';
import { letterHtml } from '../letter/letter-html.ts';
import { letterText } from '../letter/letter-text.ts';
import type { RenderedMail } from '../receipt/render-receipt.ts';
import { downloadLinkEmailWords } from './download-link-email-words.ts';

/** Renders the mail with a buyer's new links. */
export function renderDownloadLinkEmail(mail: DownloadLinkEmail): RenderedMail {
  const words = downloadLinkEmailWords(mail);
  return { subject: words.subject, html: String(letterHtml(words)), text: letterText(words) };
}
