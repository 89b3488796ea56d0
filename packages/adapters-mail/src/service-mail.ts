import { type Html, html } from '@handover/html';
import { INK, mailButton, mailLink, mailPage, SMALL } from './mail-page.ts';
import type { RenderedMail } from './receipt/render-receipt.ts';

/** The text of a mail from the service itself with one link. Plain text, not HTML. */
export interface ServiceMailWords {
  readonly subject: string;
  readonly heading: string;
  readonly lead: string;
  readonly button: string;
  /** How long the link works, and what it does. */
  readonly lifetime: string;
  /** For a recipient who did not expect the mail. */
  readonly notYou: string;
}

/** Renders such a mail as HTML and as plain text with the same sentences. */
export function renderServiceMail(words: ServiceMailWords, url: string): RenderedMail {
  return { subject: words.subject, html: String(serviceHtml(words, url)), text: serviceText(words, url) };
}

function serviceHtml(
  { subject, heading, lead, button, lifetime, notYou }: ServiceMailWords,
  url: string,
): Html {
  const card = html`
    <p style="margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:#61656e">Handover</p>
    <h1 class="heading" style="margin:0 0 8px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.48px;color:${INK}">${heading}</h1>
    <p style="margin:0 0 24px;font-size:15px;line-height:23px;color:#3f434c">${lead}</p>
    ${mailButton(url, button)}
    <p style="margin:20px 0 0;${SMALL}">${lifetime}</p>`;
  const below = html`<p style="margin:0;${SMALL}">${notYou}</p>
    <p style="margin:0;${SMALL}">Button does nothing? Paste this into your browser:</p>
    ${mailLink(url)}`;
  return mailPage({ title: subject, preview: lifetime, card, below });
}

function serviceText({ heading, lead, lifetime, notYou }: ServiceMailWords, url: string): string {
  return `${[heading, lead, url, lifetime, notYou, '-- \nHandover'].join('\n\n')}\n`;
}
