import { type DeliveryStatus, MAX_COUNTED } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { capitalise } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { deliveryIcon } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { filterSelect, hiddenField } from '../parts/form.ts';
import { webhookIcon } from '../parts/icons.ts';
import { chosenWords, listTitle, quoted } from '../parts/list-title.ts';
import { liveMark } from '../parts/live.ts';
import { counted, formatCapped } from '../parts/money.ts';
import { newsOfList } from '../parts/news.ts';
import { searchField } from '../parts/search-field.ts';
import { fingerprintOf, LAST_WINS, type LastNews, logList, pollOf } from './log-list.ts';
import { addressOf, CAUSES, type FoundLog, isLive, STATUSES } from './log-view.ts';

const TITLE = 'Webhook log';

/** The log: the list with the open entry beside it. Small screens show one of them. */
export function logPage(
  found: FoundLog,
  open: { readonly title: string; readonly main: Html } | null,
): Answer {
  const main = html`<div class="log" id="log" ${newsOfList({ ...found, found: found.entries }, 'entry', 'entries')} ${open ? 'data-open' : ''}>
${open && skipToEntry(found)}<header class="log-head"><div class="log-title"><h1>${TITLE}</h1>${liveness(found)}</div>
<div class="log-filters">${filterLinks(found)}${searchForm(found)}</div></header>
<div class="log-list" role="region" aria-label="Entries" id="log-list" ${pollOf(found)}>${logList(found)}</div>
${open ? open.main : nothingOpen()}
</div><p class="visually-hidden" id="log-news" aria-live="polite"></p>`;
  return {
    kind: 'page',
    title: open?.title ?? TITLE,
    windowTitle: nameView(found, open?.title ?? null),
    main,
  };
}

/** The list is before the entry. */
function skipToEntry({ openId }: FoundLog): Html {
  return html`<a class="skip" href="#entry-${openId}">Skip to the open entry</a>`;
}

function nameView({ view, sources, entries, platforms }: FoundLog, opened: string | null): string {
  if (opened !== null) return listTitle(TITLE, [opened]);
  const { text, status, cause, connectionId } = view;
  const source = sources.find((one) => one.connectionId === connectionId);
  const filters = [
    quoted(text),
    chosenWords(CAUSES, cause),
    status && capitalise(status),
    source && `${platforms.vendorOf(source.platform)}, ${source.name}`,
  ];
  return listTitle(TITLE, filters, { olderFrom: isLive(view) ? null : entries[0]?.receivedAt });
}

/** A screen reader that is told of each entry of a sale says nothing else. */
const TELL_EVERY_MS = 15_000;

/**
 * The answer to a poll: the current list and counts, and now and then how many entries are new; null when the client has that
 * version already, and was told of it.
 */
export function newsOf(
  found: FoundLog,
  { seen, newest, told }: { readonly seen: string | null; readonly newest: string; readonly told: LastNews },
): Html | null {
  const fresh = found.entries.filter(({ id }) => id > told.newest).length;
  const isDue = told.at === null || found.now.getTime() - told.at.getTime() >= TELL_EVERY_MS;
  const isToBeTold = fresh > 0 && isDue;
  if (fingerprintOf(found) === seen && !isToBeTold) return null;
  const nowTold = isToBeTold ? { newest: found.entries[0]?.id ?? '', at: found.now } : told;
  const words = counted(fresh, 'new entry', 'new entries');
  return html`${logList(found, newest, nowTold)}${filterLinks(found, html`hx-swap-oob="outerMorph"`)}${isToBeTold && html`<p id="log-news" hx-swap-oob="innerHTML">${words}</p>`}`;
}

function liveness({ view, openId }: FoundLog): Html {
  if (!isLive(view)) {
    return linkButton(addressOf({ ...view, before: null }), { words: 'Back to the newest', small: true });
  }
  return liveMark('log-list', addressOf(view, openId));
}

function filterLinks({ view, counts }: FoundLog, attributes: Html | null = null): Html {
  const isCounted = view.text.trim() === '';
  const link = (status: DeliveryStatus | null, count: number, words: string) =>
    html`<a href="${addressOf({ ...view, status, cause: null, before: null })}" ${view.status === status ? html`aria-current="true"` : ''}>${status === null ? '' : deliveryIcon(status)}<span>${words}</span>${isCounted ? html` <span class="figure muted">${formatCapped(count)}</span>` : ''}</a>`;
  const all = STATUSES.reduce((sum, status) => sum + counts[status], 0);
  const isCapped = STATUSES.some((status) => counts[status] > MAX_COUNTED);
  return html`<nav class="log-statuses" id="log-statuses" aria-label="By status" ${attributes}>${link(null, isCapped ? MAX_COUNTED + 1 : all, 'All')}${STATUSES.map((status) => link(status, counts[status], capitalise(status)))}</nav>`;
}

/** A plain form. With a script, it searches while one types. */
function searchForm({ view, sources, platforms }: FoundLog): Html {
  const connections = [
    { value: '', words: 'All connections' },
    ...sources.map(({ connectionId, platform, name }) => ({
      value: connectionId,
      words: `${platforms.vendorOf(platform)}, ${name}`,
    })),
  ];
  const status = view.status === null ? '' : hiddenField('status', view.status);
  return html`<form class="log-search" method="get" action="/dashboard/webhook-log" role="search" hx-get="/dashboard/webhook-log" hx-trigger="input changed delay:250ms, change, submit" ${LAST_WINS} hx-target="#log" hx-select="#log" hx-swap="outerMorph" hx-replace-url="true">${status}
${searchField({ label: 'Search the log', text: view.text, placeholder: 'Order, SKU or e-mail' })}
${filterSelect('connection', 'Connection', connections, view.connectionId)}
<button class="btn visually-hidden" data-variant="outline" type="submit">Search</button></form>`;
}

function nothingOpen(): Html {
  return html`<div class="log-entry log-nothing" id="entry-none"><p class="muted">${webhookIcon}Open an entry to see its result, and why.</p></div>`;
}
