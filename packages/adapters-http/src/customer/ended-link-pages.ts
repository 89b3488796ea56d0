import { type DownloadPage, LINK_LIFETIME_MS, maskEmail } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { barredIcon, clockIcon, mailIcon, mailSentIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { formatClockTime, formatDuration } from '../pages/words.ts';
import { mailLink } from './mail-link.ts';

/** Its one button mails a new link to the address of the order, and to no other address. */
export function expiredPage(page: DownloadPage, token: string): Html {
  const lifetime = formatDuration(LINK_LIFETIME_MS);
  return endedPage(page, {
    heading: 'This link has run out',
    tile: 'tile tile-held',
    icon: clockIcon,
    sentences: html`Links stop working ${lifetime} after they were last opened. What you bought, <strong><bdi>${page.productName}</bdi></strong>, is still yours: we will mail you a new link.`,
    notice: html`<div class="notice">${mailIcon}<p>It goes to the address of your order, <strong>${masked(page)}</strong></p></div>
<form method="post" action="/d/${encodeURIComponent(token)}/new-link"><button class="button button-primary button-wide">Mail me a new link</button></form>`,
    aside: html`Different address now? Write to ${write(page)} and mention ${whatToMention(page)}.`,
  });
}

/** Shown after the button was pressed. */
export function newLinkPage(page: DownloadPage): Html {
  return endedPage(page, {
    heading: 'Look in your inbox',
    tile: 'tile tile-success',
    icon: mailSentIcon,
    sentences: html`A new link to <strong><bdi>${page.productName}</bdi></strong> is on its way to <strong>${masked(page)}</strong>. It can take a minute, and may land in spam.`,
    notice: null,
    aside: html`Nothing there? Write to ${write(page)} and mention ${whatToMention(page)}.`,
  });
}

/** Shown when the button was pressed too often. */
export function newLinkThrottledPage(page: DownloadPage, until: Date, now: Date): Html {
  return endedPage(page, {
    heading: 'The new link was mailed already',
    tile: 'tile tile-held',
    icon: clockIcon,
    sentences: html`It went to <strong>${masked(page)}</strong>, and may have landed in spam. You can ask for another one in ${formatDuration(until.getTime() - now.getTime(), 'in')}, from <time datetime="${until.toISOString()}">${formatClockTime(until)}</time> on.`,
    notice: null,
    aside: html`Nothing there? Write to ${write(page)} and mention ${whatToMention(page)}.`,
  });
}

export function revokedPage(page: DownloadPage): Html {
  return endedPage(page, {
    heading: 'This link was withdrawn',
    tile: 'tile',
    icon: barredIcon,
    sentences: html`The shop has withdrawn this link to <strong><bdi>${page.productName}</bdi></strong>. If a newer one was mailed to you, that one works.`,
    notice: html`<div class="notice">${mailIcon}<p>Write to ${write(page)} and mention ${whatToMention(page)}. They can tell you more.</p></div>`,
    aside: null,
  });
}

interface Ending {
  readonly heading: string;
  readonly tile: string;
  readonly icon: Html;
  readonly sentences: Html;
  readonly notice: Html | null;
  readonly aside: Html | null;
}

function endedPage(page: DownloadPage, { heading, tile, icon, sentences, notice, aside }: Ending): Html {
  return layout({
    title: `${heading} · ${page.organisation.name}`,
    header: shopHeader(page.organisation.name),
    main: html`<div class="card">
<span class="${tile}">${icon}</span>
<h1>${heading}</h1>
<p class="lead">${sentences}</p>
${notice}
</div>
${aside && html`<p class="aside">${aside}</p>`}`,
  });
}

function masked({ customer }: DownloadPage): Html {
  return html`<bdi>${maskEmail(customer.email)}</bdi>`;
}

function write({ organisation, orderNumber, productName }: DownloadPage): Html {
  return mailLink(organisation.email, orderNumber ? `Order ${orderNumber}` : productName);
}

function whatToMention({ orderNumber }: DownloadPage): Html {
  return orderNumber
    ? html`<strong>order <bdi>${orderNumber}</bdi></strong>`
    : html`the address you ordered with`;
}
