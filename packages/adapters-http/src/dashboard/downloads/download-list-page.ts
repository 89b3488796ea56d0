import { createHash } from 'node:crypto';
import { classifyDownload, type DownloadSessionRow } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { Answer } from '../dashboard-route.ts';
import { statusBadge, testBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { buyerAddress } from '../parts/buyer-address.ts';
import { emptyState } from '../parts/empty-state.ts';
import { filterForm } from '../parts/filter-form.ts';
import { filterSelect, hiddenFields } from '../parts/form.ts';
import { downloadIcon, noMatchIcon } from '../parts/icons.ts';
import { chosenWords, listTitle, quoted } from '../parts/list-title.ts';
import { liveMark } from '../parts/live.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { newsOfList } from '../parts/news.ts';
import { pageHeader } from '../parts/page-header.ts';
import { searchField } from '../parts/search-field.ts';
import { formatShare, percentOf } from '../parts/share.ts';
import { olderLink, rowLink, table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';
import type { ListPage } from '../take-page.ts';
import { addressOf, type DownloadView, EVERYTHING, fieldsOf, STATES, wordsOf } from './download-view.ts';

export interface DownloadList extends ListPage<DownloadSessionRow> {
  readonly view: DownloadView;
  /** Members are told nothing about sales. */
  readonly includesSales: boolean;
  readonly now: Date;
}

export function downloadListPage(list: DownloadList): Answer {
  const { view } = list;
  const isBare = list.found.length === 0 && addressOf(view) === addressOf(EVERYTHING);
  // New downloads appear on the first page only.
  const isLive = view.before === null;
  const poll = isLive
    ? html`hx-get="/dashboard/downloads/live" hx-trigger="every 3s" hx-include="#downloads-state" hx-swap="innerMorph" data-polls`
    : '';
  const main = html`${pageHeader({
    title: 'Downloads',
    meta: ['Who downloaded what, and how much of it'],
    actions: [
      isLive
        ? liveMark('found', addressOf(view))
        : linkButton(addressOf({ ...view, before: null }), { words: 'Back to the newest', small: true }),
    ],
  })}${isBare ? '' : filters(list)}<div id="found" ${newsOfList(list, 'download')} ${poll}>${content(list)}</div>`;
  const olderFrom = isLive ? null : list.found[0]?.startedAt;
  const windowTitle = listTitle('Downloads', [quoted(view.text), chosenWords(STATES, view.state)], {
    olderFrom,
  });
  return { kind: 'page', title: 'Downloads', windowTitle, main };
}

/** The answer to a poll: the current list; null when the client has that version already. */
export function newsOf(list: DownloadList, seen: string | null): Html | null {
  return fingerprintOf(list) === seen ? null : content(list);
}

/** The list, and the values that each poll sends: the view, and the fingerprint of the shown list. */
function content(list: DownloadList): Html {
  const fields = [...fieldsOf(list.view), ['seen', fingerprintOf(list)] as const];
  return html`<form id="downloads-state" hidden>${hiddenFields(fields)}</form>${downloads(list)}`;
}

/** Identifies a state of the list; a relative time that merely ages does not change it. */
function fingerprintOf({ found, isMore, now }: DownloadList): string {
  const shown = found.map((row) => ({ ...row, state: classifyDownload(row, now) }));
  return createHash('sha256')
    .update(JSON.stringify([shown, isMore]))
    .digest('hex')
    .slice(0, 16);
}

function filters({ view: { text, state }, includesSales }: DownloadList): Html {
  const placeholder = includesSales ? 'Buyer, order or product' : 'Buyer or product';
  const fields = html`${searchField({ label: 'Search downloads', text, placeholder })}
${filterSelect('state', 'Status', [{ value: '', words: 'All downloads' }, ...STATES], state)}`;
  return filterForm({ path: '/dashboard/downloads', fields });
}

function downloads(list: DownloadList): Html {
  const { view, found, isMore, now } = list;
  if (found.length === 0) return html`<section class="card">${nothing(view)}</section>`;
  const last = found.at(-1)?.id ?? null;
  return html`<section class="card">${table({
    label: 'Downloads',
    rows: found,
    columns: [
      { head: 'Buyer', cell: buyer },
      { head: 'Product', narrow: 'line', cell: (row) => product(row, list) },
      { head: 'Files', narrow: 'hidden', cell: files },
      { head: 'Status', narrow: 'corner', cell: (row) => status(row, now) },
      { head: 'Sent', number: true, cell: sent },
      {
        head: 'Began',
        number: true,
        cell: ({ startedAt }) => html`<span class="muted">${relativeTime(startedAt, now)}</span>`,
      },
    ],
  })}${isMore ? olderLink(addressOf({ ...view, before: last })) : ''}</section>`;
}

function buyer({ id, customerName, customerEmail, movedTo }: DownloadSessionRow): Html {
  const before = movedTo && html`<span class="muted small">Before the address was corrected</span>`;
  return html`<span class="two-lines"><span>${rowLink(`/dashboard/downloads/${id}`, customerName)}</span><span class="muted small">${buyerAddress(customerEmail)}</span>${before}</span>`;
}

function product(
  { productName, version, orderNumber, orderId }: DownloadSessionRow,
  { includesSales }: DownloadList,
): Html {
  const label = version === null ? '' : html` <span class="muted">${version}</span>`;
  const order = includesSales ? (orderNumber ?? orderId) : null;
  return html`<span class="two-lines"><span>${longText(productName)}${label}</span>${order && html`<span class="muted small">Order ${longText(order)}</span>`}</span>`;
}

function files({ filesBegun, fileNames }: DownloadSessionRow): Html {
  const [first] = fileNames;
  if (first === undefined) return html`<span class="muted">No file yet</span>`;
  if (filesBegun === 1) return html`${longText(first)}`;
  return html`<span title="${fileNames.join(', ')}">${counted(filesBegun, 'file')}</span>`;
}

function status(row: DownloadSessionRow, now: Date): Html {
  const revoked = row.linkRevokedAt === null ? '' : statusBadge('link', 'revoked');
  return html`<span class="badges">${testBadge(row)}${statusBadge('download', classifyDownload(row, now))}${revoked}</span>`;
}

function sent(row: DownloadSessionRow): Html {
  if (row.filesBegun === 0) return html`<span class="muted">Not known</span>`;
  return html`<span class="download-share"><span>${percentOf(row)} %</span> <span class="muted small">${formatShare(row)}</span></span>`;
}

function nothing(view: DownloadView): Html {
  const text = view.text.trim();
  if (addressOf(view) === addressOf(EVERYTHING)) {
    return emptyState({
      icon: downloadIcon,
      title: 'No downloads yet',
      sentence: 'They show up here as soon as a buyer fetches a file of what was bought.',
      actions: [linkButton('/dashboard/products', { words: 'Open products', primary: true })],
    });
  }
  const ofState = view.state === null ? '' : `, filtered by: ${wordsOf(view.state).toLowerCase()}`;
  return emptyState({
    icon: noMatchIcon,
    title: text === '' ? 'No such downloads' : `Nothing for “${text}”`,
    sentence:
      text === ''
        ? `We looked through all downloads${ofState}.`
        : `We looked at buyers’ names and addresses, and at products${ofState}.`,
    actions: [linkButton(addressOf(EVERYTHING), { words: 'Clear search' })],
  });
}
