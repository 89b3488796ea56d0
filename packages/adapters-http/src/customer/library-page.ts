import {
  type DownloadPage,
  type DownloadTokens,
  LINK_LIFETIME_MS,
  type LibraryItem,
  nameForBuyers,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { showDay, showTime, type Wording } from '../messages/wording-of.ts';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { clockIcon, downloadIcon } from '../pages/icons.ts';
import { layout, productHeader } from '../pages/layout.ts';
import { mailto } from '../pages/mailto.ts';
import { downloadAll, realName } from './file-list.ts';

export interface Library {
  readonly page: DownloadPage;
  readonly items: readonly LibraryItem[];
  readonly older: string | null;
  /** Of the library itself: part of its addresses. */
  readonly token: string;
  /** Whether this is not the first page. */
  readonly isOlder: boolean;
  readonly now: Date;
}

/** Everything that a buyer bought, shop by shop, with a link to each file. */
export function libraryPage(
  wording: Wording,
  tokens: Pick<DownloadTokens, 'seal'>,
  { page, items, older, token, isOlder, now }: Library,
): Html {
  const { library, my } = wording.messages;
  const address = `/my/${encodeURIComponent(token)}`;
  const shops = Map.groupBy(items, ({ orgId }) => orgId);
  const works = library.works({
    until: showTime(wording, page.expiresAt),
    lifetime: wording.formats.duration(LINK_LIFETIME_MS),
  });
  return layout({
    locale: wording.formats.locale,
    title: library.title,
    header: productHeader(my.name),
    script: PAGE_ASSETS.libraryScript.path,
    main: html`<div class="head">
<h1>${library.title}</h1>
<p class="lead">${library.lead(html`<strong><bdi>${page.customer.email}</bdi></strong>`)}</p>
</div>
<div class="notice">${clockIcon}<p>${works}</p></div>
${items.length === 0 && html`<div class="card"><p>${library.nothing}</p></div>`}
${allOfPage(wording, items, now)}<div>${[...shops.values()].map((bought) =>
      shopSection(wording, bought, (item) =>
        wayToFiles(wording, tokens, item, { email: page.customer.email, now }),
      ),
    )}</div>
${(isOlder || older !== null) && html`<nav class="aside" aria-label="${library.title}">${isOlder && html`<a href="${address}">${library.newest}</a> `}${older && html`<a href="${address}?before=${older}">${library.older}</a>`}</nav>`}
<form class="aside" method="post" action="/my/sign-out"><button class="button">${library.forget}</button></form>`,
  });
}

/** One button for the files of all purchases of this page: see `downloadAll`. One purchase has its own. */
function allOfPage(wording: Wording, items: readonly LibraryItem[], now: Date): Html | null {
  const working = items.filter(({ link }) => link !== null && link.expiresAt > now);
  const lists = working.map(({ version }) => version?.files ?? []);
  const filled = lists.filter((files) => files.length > 0);
  return filled.length < 2 ? null : downloadAll(wording, filled.flat());
}

function shopSection(
  wording: Wording,
  items: readonly LibraryItem[],
  leadTo: (item: LibraryItem) => Html,
): Html | null {
  const [first] = items;
  if (!first) return null;
  const { name, email } = first.shop;
  return html`<section class="shop"><h2 class="section"><bdi>${name}</bdi> <a class="meta" href="${mailto(email)}">${email}</a></h2>
${items.map((item) => purchaseCard(wording, item, leadTo(item)))}
</section>`;
}

function purchaseCard(
  wording: Wording,
  { productName, version, orderNumber, boughtAt }: LibraryItem,
  way: Html,
): Html {
  const { messages } = wording;
  const facts = html`${version && html`${messages.start.version(version.label)} · `}${orderNumber !== null && html`${messages.order(orderNumber)} · `}<span class="whole">${messages.library.bought(showDay(wording, boughtAt))}</span>`;
  return html`<div class="card bought">
<h3><bdi>${productName}</bdi></h3>
<p class="meta">${facts}</p>
${way}
</div>`;
}

/** The files themselves, or the button for a mail that leads to them. `email`: the buyer's. */
function wayToFiles(
  wording: Wording,
  tokens: Pick<DownloadTokens, 'seal'>,
  item: LibraryItem,
  { email, now }: { readonly email: string; readonly now: Date },
): Html {
  if (item.link === null) return newMailForm(wording, email, item.productName);
  const token = tokens.seal(item.orgId, item.link.id);
  return item.link.expiresAt > now
    ? fileRows(wording, token, item)
    : newLinkForm(wording, token, item.productName);
}

function fileRows(wording: Wording, token: string, { version, productName }: LibraryItem): Html {
  const { messages, formats } = wording;
  if (version === null || version.files.length === 0) {
    return html`<p class="meta">${messages.library.noFiles}</p>`;
  }
  const at = `/d/${encodeURIComponent(token)}/files/${encodeURIComponent(version.label)}`;
  return html`${downloadAll(wording, version.files, { productName })}<ul class="files" aria-label="${messages.files.list}: ${productName}">${version.files.map(
    (
      file,
    ) => html`<li class="file"><div class="file-name"><p><bdi>${nameForBuyers(file)}</bdi></p><p class="meta">${realName(file)}${formats.size(file.size)}</p></div>
<a class="button" href="${at}/${encodeURIComponent(file.name)}">${downloadIcon}${messages.files.download}<span class="hidden"> ${nameForBuyers(file)}</span></a></li>`,
  )}</ul>`;
}

/** A link that has expired stays so: a new one is mailed to the buyer. */
function newLinkForm({ messages }: Wording, token: string, productName: string): Html {
  return html`<p>${messages.ended.expired}</p><form method="post" action="/d/${encodeURIComponent(token)}/new-link"><button class="button button-wide">${messages.ended.mailNew}<span class="hidden"> ${productName}</span></button></form>`;
}

/**
 * Links of it were replaced since the mail that opened this page. A mail to the buyer's own address opens the new ones to nobody
 * else.
 */
function newMailForm({ messages }: Wording, email: string, productName: string): Html {
  return html`<p>${messages.library.replaced}</p>
<form method="post" action="/my"><input type="hidden" name="email" value="${email}"><button class="button button-wide">${messages.my.send}<span class="hidden"> ${productName}</span></button></form>`;
}
