import { type Html, html } from '@handover/html';
import { INK, LINE, mailButton, mailLink, mailPage, SMALL } from '../mail-page.ts';
import type { AlertWords, NoticeWords } from './alert-words.ts';

/** The mail as HTML, in the receipt's frame. */
export function alertHtml(words: AlertWords): Html {
  const isAlone = words.notices.length === 1;
  const card = html`
    <p style="margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:#61656e">${words.shop}</p>
    <h1 class="heading" style="margin:0 0 8px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.48px;color:${INK};text-wrap:balance">${words.heading}</h1>
    <p style="margin:0 0 24px;font-size:15px;line-height:23px;color:#3f434c">${words.lead}</p>
    ${mailButton(words.button.url, words.button.label)}
    ${words.notices.map((notice) => noticeRow(notice, isAlone))}
    ${words.more ? html`<p style="margin:20px 0 0;padding-top:20px;${LINE};${SMALL}">${words.more}</p>` : ''}`;
  const below = html`<p style="margin:0;${SMALL}">${words.why}</p>
    <p style="margin:6px 0 0;${SMALL}">Button does nothing? Paste this into your browser:</p>${mailLink(words.button.url)}`;
  return mailPage({ title: words.subject, preview: words.preview, card, below });
}

function noticeRow({ title, reason, facts, url }: NoticeWords, isAlone: boolean): Html {
  const heading = html`<p style="margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600;color:${INK}"><a href="${url}" style="color:${INK}">${title}</a></p>`;
  return html`<div style="margin-top:20px;padding-top:20px;${LINE};overflow-wrap:anywhere">
      ${isAlone ? '' : heading}
      <p style="margin:0;font-size:14px;line-height:22px;color:${INK}">${reason}</p>
      <p style="margin:4px 0 0;${SMALL}">${facts}</p>
    </div>`;
}
