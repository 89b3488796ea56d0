import {
  type AlertMail,
  type EmailMessage,
  formatsOf,
  type MailAnswer,
  OUR_PLATFORMS,
  type Platforms,
  readEmail,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { type AlertWords, alertWords, type NoticeWords } from './alert-words.ts';
import { frameMessage, type OutgoingMessage } from './format-message.ts';
import { renderDownloadLinkEmail, senderName } from './letter/render-download-link-email.ts';
import { renderReceipt } from './letter/render-receipt.ts';
import {
  INK,
  LEAD,
  LINE,
  mailButton,
  mailLink,
  mailPage,
  mailTop,
  type RenderedMail,
  SMALL,
} from './mail-page.ts';
import { en } from './messages/en.ts';
import { oneLine } from './one-line.ts';
import type { Sender } from './sender.ts';
import { renderInvitation, renderNewDevice, renderSignIn } from './service-mail.ts';

type PersonalMail = Exclude<EmailMessage, { readonly kind: 'alert' }>;

/** The whole message, or null when its address cannot receive mail. */
export function composeEmail(
  mail: EmailMessage,
  sender: Sender,
  platforms: Platforms = OUR_PLATFORMS,
): OutgoingMessage | null {
  if (mail.kind === 'alert') return composeAlerts(mail, sender, platforms);
  return composePersonal(mail, sender);
}

/** The answer for that case; no mail server is asked. */
export function refuseRecipient(mail: EmailMessage): MailAnswer {
  const answer =
    mail.kind === 'alert'
      ? 'There is no address that alerts can be mailed to.'
      : `No mail can be sent to the address “${oneLine(mail.to.email, MAX_NAME_LENGTH)}”.`;
  return { kind: 'refused', answer };
}

function renderMail(mail: PersonalMail): RenderedMail {
  switch (mail.kind) {
    case 'receipt':
      return renderReceipt(mail);
    case 'links':
      return renderDownloadLinkEmail(mail);
    case 'invitation':
      return renderInvitation(mail);
    case 'sign-in':
      return renderSignIn(mail);
    case 'new-device':
      return renderNewDevice(mail);
  }
}

const MAX_NAME_LENGTH = 100;

function composePersonal(mail: PersonalMail, sender: Sender): OutgoingMessage | null {
  const to = readEmail(mail.to.email);
  if (to === null) return null;
  const { from, replyTo, ...language } = describeSender(mail);
  const name = oneLine(from, MAX_NAME_LENGTH);
  const answeredAt = readEmail(replyTo);
  return {
    ...renderMail(mail),
    from: { name, address: sender.address },
    to: [{ name: oneLine(mail.to.name ?? '', MAX_NAME_LENGTH), address: to }],
    ...(answeredAt && { replyTo: { name, address: answeredAt } }),
    ...frameMessage({ kind: mail.kind, id: mail.mailId, to: [to], sender, ...language }),
  };
}

/** In whose name a mail is sent, where replies to it go, and its language tag. Without one, it is in English. */
function describeSender(mail: PersonalMail): {
  readonly from: string;
  readonly replyTo: string | null;
  readonly locale?: string;
} {
  switch (mail.kind) {
    case 'receipt': {
      const { name, replyTo } = mail.organisation;
      return { from: name, replyTo, locale: formatsOf(mail.language).locale };
    }
    // Sent in the shop's name, so that replies reach it; a mail about several shops has no Reply-To.
    case 'links': {
      const [shop, ...others] = mail.shops;
      const replyTo = (others.length === 0 && shop?.replyTo) || null;
      return { from: senderName(mail), replyTo, locale: formatsOf(mail.language).locale };
    }
    default:
      return { from: 'Handover', replyTo: null };
  }
}

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

/** The mail as HTML, in the receipt's frame. */
function alertHtml(words: AlertWords): Html {
  const isAlone = words.notices.length === 1;
  const card = html`
    ${mailTop(words.shop, words.heading)}
    ${words.notices.map(({ reason }) => isAlone && html`<p style="margin:0 0 8px;${LEAD};overflow-wrap:anywhere">${reason}</p>`)}
    <p style="margin:0 0 24px;${LEAD}">${words.lead}</p>
    ${mailButton(words.button.url, words.button.label)}
    ${words.notices.map((notice) => (isAlone ? factsRow(notice) : noticeRow(notice)))}
    ${words.more ? html`<p style="margin:20px 0 0;padding-top:20px;${LINE};${SMALL}">${words.more}</p>` : ''}`;
  const below = html`<p style="margin:0;${SMALL}">${words.why}</p>
    <p style="margin:6px 0 0;${SMALL}">${en.pasteOne}</p>${mailLink(words.button.url)}`;
  return mailPage({ title: words.subject, preview: words.preview, card, below });
}

/** For a mail with one alert: its other sentences are above the button. */
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
