import { BULK_ACTIONS, type PurchaseSum } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { plusIcon } from '../../pages/icons.ts';
import { isoDay } from '../../pages/words.ts';
import type { Answer } from '../dashboard-route.ts';
import { linkButton } from '../parts/button.ts';
import { csvLinks } from '../parts/csv-links.ts';
import { emptyState } from '../parts/empty-state.ts';
import { hiddenFields } from '../parts/form.ts';
import { noMatchIcon, purchaseIcon, tagIcon } from '../parts/icons.ts';
import { chosenWords } from '../parts/list-title.ts';
import { counted, formatCount } from '../parts/money.ts';
import { news, newsOfList } from '../parts/news.ts';
import { problemAlert } from '../parts/notice.ts';
import { pageHeader } from '../parts/page-header.ts';
import { searchLogButton } from '../parts/search-field.ts';
import { selectBar } from '../parts/select-bar.ts';
import { olderLink } from '../parts/table.ts';
import { BULK_VERBS } from './bulk-pages.ts';
import type { MovedPurchases } from './find-moved.ts';
import { movedPurchases } from './moved-purchases.ts';
import {
  type FilteredPurchases,
  filtersOf,
  nameView,
  purchaseFilters,
  RECEIPTS,
  STATUSES,
} from './purchase-filters.ts';
import { countAll, formatAmounts, formatRefunds, formatSums } from './purchase-sums.ts';
import { purchaseTable } from './purchase-table.ts';
import { statusOfQuery } from './read-purchase-query.ts';
import { valueOfSource } from './source-words.ts';

/** With more of them, `count` are those that were counted. */
export interface MatchingPurchases {
  readonly count: number;
  readonly isMore: boolean;
}

interface PurchaseList extends FilteredPurchases {
  /** What all of the chosen days add up to; null where no days are chosen, and on older pages. */
  readonly sums: readonly PurchaseSum[] | 'took-too-long' | null;
  /** What of it is revoked. */
  readonly revoked: readonly PurchaseSum[] | 'took-too-long' | null;
  /** What of it a shop gave money back for. */
  readonly refunded: readonly PurchaseSum[] | 'took-too-long' | null;
  /** How many match; null on older pages. */
  readonly matching: MatchingPurchases | null;
  /** See `netAmounts`. */
  readonly net: string | null;
  readonly unmatched: number;
  /** See `findMoved`. */
  readonly moved: MovedPurchases | null;
  /** The number of all purchases of the organisation; counted only where the page shows it. */
  readonly count: number | null;
  readonly now: Date;
  readonly expectsSemicolons: boolean;
}

export function purchaseListPage(list: PurchaseList): Answer {
  const isBare = list.count === 0;
  const main = html`${pageHeader({
    title: 'Purchases',
    meta: ['What was bought, and whether it arrived', 'Days are UTC'],
    actions: [
      ...unmatchedChip(list),
      linkButton('/dashboard/purchases/record', { words: 'Record a sale', icon: plusIcon, primary: !isBare }),
    ],
  })}${isBare ? '' : purchaseFilters(list)}<div id="found" ${newsOfPurchases(list)}>${found(list, isBare)}</div>`;
  return {
    kind: 'page',
    status: list.days.problem === null ? 200 : 400,
    title: 'Purchases',
    windowTitle: nameView(list),
    main,
  };
}

/** A problem with the days is an alert already. */
function newsOfPurchases(list: PurchaseList): Html | null {
  if (list.days.problem !== null) return null;
  const moved = list.moved?.purchases.length ?? 0;
  return moved > 0
    ? news(`${counted(moved, 'purchase')} with a corrected address`)
    : newsOfList(list, 'purchase');
}

/** Links to the list of unmatched SKUs. */
function unmatchedChip({ unmatched }: PurchaseList): readonly Html[] {
  if (unmatched === 0) return [];
  return [
    html`<a class="alert-chip" href="/dashboard/purchases/unmatched">${tagIcon}${counted(unmatched, 'unmatched SKU')}</a>`,
  ];
}

function found(list: PurchaseList, isBare: boolean): Html {
  if (isBare) return html`<section class="card">${noPurchases()}</section>`;
  if (list.days.problem !== null) return problemAlert(list.days.problem);
  if (list.moved) return movedPurchases(list.moved, list.now);
  if (list.found.length === 0) return html`<section class="card">${noMatch(list)}</section>`;
  return html`${ofBuyer(list)}${aboveList(list)}<form class="card" method="get" action="/dashboard/purchases/bulk" data-select>${bulkBar(filtersOf(list))}${purchaseTable(list)}${list.isMore ? olderLink(olderAddress(list)) : ''}</form>`;
}

/** Above the rows, of which there may be many: somebody who adds up a month needs none of them. */
function aboveList(list: PurchaseList): Html {
  const note = list.query.onlyTests ? null : html` <span class="muted">without test orders</span>`;
  return html`<div class="list-sums"><p>${sumsOf(list)}</p><p>${csvLinks(`/dashboard/purchases.csv?${filtersOf(list).toString()}`, list)}${note}</p></div>`;
}

function sumsOf(list: PurchaseList): Html {
  const { sums, days, query } = list;
  if (query.onlyTests)
    return html`${countOf(list)}<span class="muted">Test orders add up to nothing: nobody paid for them.</span>`;
  if (sums === 'took-too-long')
    return html`${countOf(list)}There are too many purchases to add up here. Choose fewer days, or add up the CSV.`;
  if (sums !== null)
    return html`<strong>${formatSums(sums)}.</strong> <span class="muted">${countedIn(sums, list)}${list.net && ` ${list.net}`}</span>`;
  if (query.before === null || (days.from === '' && days.to === '')) return monthLinks(list);
  return html`<a class="link" href="/dashboard/purchases?${filtersOf(list).toString()}">Totals for this period</a>`;
}

/** A sum has its own count, which leaves out test orders. */
function countOf({ matching, query, days }: PurchaseList): Html | null {
  if (matching === null) return null;
  const { count, isMore } = matching;
  const isNarrowed = filtersOf({ query, days }).size > 0;
  const verb = isNarrowed && (count === 1 && !isMore ? ' matches' : ' match');
  return html`<strong>${isMore && 'More than '}${counted(count, 'purchase')}${verb}.</strong> `;
}

/** What a sum may differ by from the books. */
function countedIn(sums: readonly PurchaseSum[], list: PurchaseList): Html {
  if (countAll(sums) === 0) return html`Test orders sent from here are not counted.`;
  const ofRefunds =
    list.query.refundedIn && 'Refunds that were reported in these days, whenever the purchase was made. ';
  return html`${ofRefunds}${revokedIn(list.revoked)}, and no test orders sent from here. ${refundedIn(list)}`;
}

/** A list has one status, so no list has the refunded ones of another status: their number is not a link then. */
function refundedIn({ refunded, query, days }: PurchaseList): Html {
  const these = filtersOf({ query, days });
  these.set('status', 'refunded');
  const address = statusOfQuery(query) === null ? `/dashboard/purchases?${these.toString()}` : null;
  return formatRefunds(query.isRefunded ? null : refunded, address);
}

function revokedIn(revoked: PurchaseList['revoked']): string {
  if (revoked === null || revoked === 'took-too-long') return 'Revoked purchases are included';
  const count = countAll(revoked);
  return count === 0
    ? 'No revoked purchases are included'
    : `${counted(count, 'revoked purchase')} ${count === 1 ? 'is' : 'are'} included (${formatAmounts(revoked)})`;
}

/** With a month chosen, its sums are shown. */
function monthLinks(list: PurchaseList): Html {
  const link = (words: string, monthsAgo: number) => {
    const address = filtersOf(list);
    const month = (offset: number) => Date.UTC(list.now.getUTCFullYear(), list.now.getUTCMonth() + offset);
    address.set('from', isoDay(new Date(month(-monthsAgo))));
    address.set('to', isoDay(new Date(month(1 - monthsAgo) - 1)));
    return html`<a class="link" href="/dashboard/purchases?${address.toString()}">${words}</a>`;
  };
  return html`${countOf(list)}Totals for ${link('this month', 0)} or ${link('last month', 1)}`;
}

function ofBuyer({ query, found }: PurchaseList): Html | null {
  const [first] = found;
  if (query.customerId === null || !first) return null;
  return html`<p class="of-buyer">Purchases of <strong><bdi>${first.customerName}</bdi></strong>. <a class="link" href="/dashboard/purchases">Show all</a></p>`;
}

function olderAddress(list: PurchaseList): string {
  const address = filtersOf(list);
  address.set('before', list.found.at(-1)?.id ?? '');
  return `/dashboard/purchases?${address}`;
}

function noPurchases(): Html {
  return emptyState({
    icon: purchaseIcon,
    title: 'No purchases yet',
    sentence:
      'They show up here as soon as a shop sends a paid order. A sale made elsewhere can be recorded by hand.',
    // The page's head has the button that records a sale.
    actions: [linkButton('/dashboard/settings/integrations', { words: 'Connect a shop', primary: true })],
  });
}

function noMatch({ query, days, count, products, sources }: PurchaseList): Html {
  const text = query.text.trim();
  const narrowed = [
    products.find(({ product }) => product.id === query.productId)?.product.name,
    sources.find(({ value }) => value === valueOfSource(query))?.words,
    RECEIPTS.find(({ value }) => value === query.receipt)?.words.toLowerCase(),
    chosenWords(STATUSES, statusOfQuery(query))?.toLowerCase(),
    days.from === '' ? undefined : `from ${days.from}`,
    days.to === '' ? undefined : `to ${days.to}`,
  ].filter((words) => words !== undefined);
  const all = count === null || count === 1 ? 'the purchases' : `all ${formatCount(count)} purchases`;
  const where =
    text === ''
      ? `We looked through ${all}`
      : `We looked at names, addresses, order numbers and SKUs of ${all}, by how their words begin`;
  return emptyState({
    icon: noMatchIcon,
    title: text === '' ? 'No such purchases' : `Nothing for “${text}”`,
    sentence: narrowed.length > 0 ? `${where}, filtered by: ${narrowed.join(', ')}.` : `${where}.`,
    actions: [
      linkButton('/dashboard/purchases', { words: 'Clear search' }),
      // An order that was not delivered is not a purchase yet: the other searches find it.
      ...(text === ''
        ? []
        : [
            linkButton(`/dashboard/search?${new URLSearchParams({ q: text })}`, {
              words: 'Search everywhere',
            }),
            searchLogButton(text),
          ]),
    ],
  });
}

/** The head of a list whose rows can be selected: what can be done to them. `filters`: those of the list. */
function bulkBar(filters: URLSearchParams): Html {
  const others = html`${hiddenFields(filters)}<label class="bulk-end"><input type="checkbox" name="all" value="yes">All that match, on every page</label>`;
  return selectBar({ things: 'purchases', actions: BULK_ACTIONS, verbs: BULK_VERBS, others });
}
