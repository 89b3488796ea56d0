import type { AlertMail, MailAnswer, Platforms } from '@handover/domain';
import { readEmail } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { AlertWords, NoticeWords } from './alert-words.ts';
import { alertWords } from './alert-words.ts';
import type { OutgoingMessage } from './format-message.ts';
import { frameMessage } from './format-message.ts';
import { INK, LINE, mailButton, mailLink, mailPage, SMALL } from './mail-page.ts';
import type { Sender } from './sender.ts';

/** The whole message, or null when none of its addresses can receive mail. */
export function composeAlerts(mail: AlertMail, sender: Sender, platforms: Platforms): OutgoingMessage | null {
  const to = mail.to.flatMap((address) => readEmail(address) ?? []);
  if (to.length === 0) return null;
  const words = alertWords(mail, platforms);
  return {
    subject: words.subject,
    html: String(alertHtml(words)),
    text: alertText(words),
    ...frameMessage({ kind: 'alert', id: mail.mailId, to, sender }),
    // Sent in the service's own name: nobody reads replies, and buyers never get this mail.
    from: { name: 'Handover', address: sender.address },
    to: to.map((address) => ({ name: '', address })),
  };
}

/** The answer when no address is left to ask a mail server about. */
export function refuseAddresses(): MailAnswer {
  return { kind: 'refused', answer: 'There is no address that alerts can be mailed to.' };
}

/** The mail as HTML, in the receipt's frame. */
function alertHtml(words: AlertWords): Html {
  const isAlone = words.notices.length === 1;
  const card = html`
    <p style="margin:0 0 12px;font-size:14px;line-height:20px;font-weight:600;color:#61656e">${words.shop}</p>
    <h1 class="heading" style="margin:0 0 8px;font-size:24px;line-height:31px;font-weight:600;letter-spacing:-0.48px;color:${INK};text-wrap:balance">${words.heading}</h1>
    ${words.notices.map(({ reason }) => isAlone && html`<p style="margin:0 0 8px;${LEAD};overflow-wrap:anywhere">${reason}</p>`)}
    <p style="margin:0 0 24px;${LEAD}">${words.lead}</p>
    ${mailButton(words.button.url, words.button.label)}
    ${words.notices.map((notice) => (isAlone ? factsRow(notice) : noticeRow(notice)))}
    ${words.more ? html`<p style="margin:20px 0 0;padding-top:20px;${LINE};${SMALL}">${words.more}</p>` : ''}`;
  const below = html`<p style="margin:0;${SMALL}">${words.why}</p>
    <p style="margin:6px 0 0;${SMALL}">Button does nothing? Paste this into your browser:</p>${mailLink(words.button.url)}`;
  return mailPage({ title: words.subject, preview: words.preview, card, below });
}

const LEAD = 'font-size:15px;line-height:23px;color:#3f434c';

/** Of the only alert of a mail, whose other sentences stand above the button. */
function factsRow({ facts }: NoticeWords): Html {
  return html`<p style="margin:20px 0 0;overflow-wrap:anywhere;${SMALL}">${facts}</p>`;
}

function noticeRow({ title, reason, facts, url }: NoticeWords): Html {
  return html`<div style="margin-top:20px;padding-top:20px;${LINE};overflow-wrap:anywhere">
      <p style="margin:0 0 4px;font-size:15px;line-height:22px;font-weight:600;color:${INK}"><a href="${url}" style="color:${INK}">${title}</a></p>
      <p style="margin:0;font-size:14px;line-height:22px;color:${INK}">${reason}</p>
      <p style="margin:4px 0 0;${SMALL}">${facts}</p>
    </div>`;
}

/** The plain-text part: the same sentences. */
function alertText(words: AlertWords): string {
  const { button } = words;
  const pressed = `${button.label}:\n${button.url}`;
  const [first, ...others] = words.notices;
  const said =
    first && others.length === 0 && !words.more
      ? [first.reason, words.lead, pressed, first.facts]
      : [words.lead, ...words.notices.map(noticeText), words.more ?? '', pressed];
  const paragraphs = [words.heading, ...said, words.why, `-- \n${words.shop}`];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function noticeText({ title, reason, facts, url }: NoticeWords): string {
  return [`${title}.`, reason, facts, url].join('\n');
}
