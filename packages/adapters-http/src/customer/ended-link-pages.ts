import { type DownloadPage, LINK_LIFETIME_MS, maskEmail } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { showTime, type Wording } from '../messages/wording-of.ts';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { barredIcon, clockIcon, mailIcon, mailSentIcon } from '../pages/icons.ts';
import { layout, shopHeader } from '../pages/layout.ts';
import { mailLink } from '../pages/mailto.ts';

/** Its one button mails a new link to the address of the order, and to no other address. */
export function expiredPage(wording: Wording, page: DownloadPage, token: string): Html {
  const { ended } = wording.messages;
  return endedPage(wording, page, {
    heading: ended.expired,
    tile: 'tile tile-held',
    icon: clockIcon,
    sentences: ended.expiredWhy(wording.formats.duration(LINK_LIFETIME_MS), product(page)),
    notice: html`<div class="notice">${mailIcon}<p>${ended.goesTo(masked(page))}</p></div>
<form method="post" action="/d/${encodeURIComponent(token)}/new-link"><button class="button button-primary button-wide">${ended.mailNew}</button></form>`,
    aside: ended.otherAddress(write(wording, page), whatToMention(wording, page)),
    hasScript: true,
  });
}

/** Shown after the button was pressed. */
export function newLinkPage(wording: Wording, page: DownloadPage): Html {
  const { ended, my } = wording.messages;
  return endedPage(wording, page, {
    heading: my.inbox,
    tile: 'tile tile-success',
    icon: mailSentIcon,
    sentences: ended.onItsWay(product(page), masked(page)),
    notice: null,
    aside: ended.nothingThere(write(wording, page), whatToMention(wording, page)),
  });
}

/** Shown when the button was pressed too often. */
export function newLinkThrottledPage(wording: Wording, page: DownloadPage, until: Date, now: Date): Html {
  const { ended } = wording.messages;
  const wait = wording.formats.duration(until.getTime() - now.getTime());
  return endedPage(wording, page, {
    heading: ended.mailedAlready,
    tile: 'tile tile-held',
    icon: clockIcon,
    sentences: ended.mailedAlreadyWhy({ address: masked(page), wait, from: showTime(wording, until) }),
    notice: null,
    aside: ended.nothingThere(write(wording, page), whatToMention(wording, page)),
    hasScript: true,
  });
}

export function revokedPage(wording: Wording, page: DownloadPage): Html {
  const { ended, my } = wording.messages;
  const ask = ended.askShop(write(wording, page), whatToMention(wording, page));
  // A buyer who was mailed a newer link can have it mailed again.
  const way = html`<p><a class="button button-primary button-wide" href="/my">${my.title}</a></p>`;
  return endedPage(wording, page, {
    heading: ended.revoked,
    tile: 'tile',
    icon: barredIcon,
    sentences: (page.isReplaced ? ended.replacedWhy : ended.revokedWhy)(product(page)),
    notice: html`<div class="notice">${mailIcon}<p>${ask}</p></div>${page.isReplaced ? way : ''}`,
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
  readonly hasScript?: boolean;
}

function endedPage(
  { formats }: Wording,
  page: DownloadPage,
  { heading, tile, icon, sentences, notice, aside, hasScript = false }: Ending,
): Html {
  return layout({
    locale: formats.locale,
    title: `${heading} · ${page.organisation.name}`,
    header: shopHeader(page.organisation.name),
    script: hasScript ? PAGE_ASSETS.pageScript.path : null,
    main: html`<div class="card">
<span class="${tile}">${icon}</span>
<h1>${heading}</h1>
<p class="lead">${sentences}</p>
${notice}
</div>
${aside && html`<p class="aside">${aside}</p>`}`,
  });
}

function product({ productName }: DownloadPage): Html {
  return html`<strong><bdi>${productName}</bdi></strong>`;
}

function masked({ customer }: DownloadPage): Html {
  // A line may end after an ellipsis, unless a word joiner follows.
  return html`<strong><bdi>${maskEmail(customer.email).replace('…', '…\u2060')}</bdi></strong>`;
}

function write({ messages }: Wording, { organisation, orderNumber, productName }: DownloadPage): Html {
  return mailLink(organisation.email, orderNumber ? messages.order(orderNumber) : productName);
}

function whatToMention({ messages: { ended } }: Wording, { orderNumber }: DownloadPage): Html {
  return orderNumber ? ended.theOrder(html`<bdi>${orderNumber}</bdi>`) : html`${ended.theAddress}`;
}
