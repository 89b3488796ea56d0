import {
  classifyDownload,
  type DeliveryStatus,
  type DownloadSessionRow,
  type Platforms,
  type ProductStatus,
  type SearchGroup,
  type SearchHit,
  type SearchHitKind,
} from '@handover/domain';
import { type Html, html } from '@handover/html';
import { statusBadge, testBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { noMatchIcon } from '../parts/icons.ts';
import { longText } from '../parts/long-text.ts';
import { counted } from '../parts/money.ts';
import { searchLogButton } from '../parts/search-field.ts';
import { relativeTime } from '../parts/time.ts';
import { beginsWith, type FoundPage } from './find-pages.ts';

export interface FoundEverywhere {
  readonly text: string;
  readonly isBlank: boolean;
  /** Members see downloads and products, no sales. */
  readonly isMember: boolean;
  readonly groups: readonly SearchGroup[];
  readonly downloads: readonly DownloadSessionRow[];
  /** What the text names as an id. */
  readonly byId: readonly FoundPage[];
  readonly pages: readonly FoundPage[];
  /** A group of so many may have more. */
  readonly limit: number;
  readonly now: Date;
  readonly platforms: Platforms;
}

/**
 * Links in groups, the best first; or what can be searched for. Pages come last, but where the text begins the name of one: then
 * only what is named exactly comes before them.
 */
export function searchResults(found: FoundEverywhere): Html {
  const { text, isBlank, isMember, downloads, byId, pages } = found;
  if (isBlank) return html`<p class="search-hint">${hint(isMember)}</p>`;
  if (countResults(found) === 0) return noMatch(text, isMember);
  const places = pageGroup('Pages and settings', pages);
  const leads = pages.some((page) => beginsWith(page, text));
  const isExact = ({ hits }: SearchGroup) => hits[0]?.isExact === true;
  const listHits = (groups: readonly SearchGroup[]) => groups.map((group) => hitGroup(group, found));
  const [exact, others] = [found.groups.filter(isExact), found.groups.filter((group) => !isExact(group))];
  return html`${listHits(exact)}${leads && places}${listHits(others)}${pageGroup('By its id', byId)}${downloadGroup(downloads, found)}${!leads && places}`;
}

/** For screen readers. */
export function searchStatus(found: FoundEverywhere): string {
  if (found.isBlank) return '';
  const count = countResults(found);
  return count === 0 ? `Nothing for ${found.text}` : counted(count, 'result');
}

function countResults({ groups, downloads, byId, pages }: FoundEverywhere): number {
  const others = downloads.length + byId.length + pages.length;
  return groups.reduce((sum, { hits }) => sum + hits.length, others);
}

function hint(isMember: boolean): string {
  return isMember
    ? 'Search for a buyer’s name or address, a product, a SKU, a page or a setting.'
    : 'Search for a buyer’s name or address, an order such as #1252, a product, a SKU, a page or a setting.';
}

function noMatch(text: string, isMember: boolean): Html {
  const where = isMember ? 'downloads, products, SKUs and pages' : 'buyers, orders, products, SKUs and pages';
  const undelivered = ' Orders that were not delivered are found by address, not by name.';
  return emptyState({
    icon: noMatchIcon,
    title: `Nothing for “${text.trim()}”`,
    sentence: `We looked at ${where}, by how their words begin. Fewer letters find more.${isMember ? '' : undelivered}`,
    actions: [
      linkButton('/dashboard/search', { words: 'Clear search', small: true }),
      ...(isMember ? [] : [searchLogButton(text.trim(), { small: true })]),
    ],
  });
}

const GROUPS: Readonly<Record<SearchHitKind, { readonly title: string; readonly list: string | null }>> = {
  order: { title: 'Orders', list: '/dashboard/purchases' },
  entry: { title: 'Not delivered', list: '/dashboard/webhook-log' },
  rejected: { title: 'Rejected', list: null },
  buyer: { title: 'Buyers', list: '/dashboard/purchases' },
  product: { title: 'Products', list: '/dashboard/products' },
};

function hitGroup({ kind, hits }: SearchGroup, found: FoundEverywhere): Html {
  const { text, limit } = found;
  const { title, list } = GROUPS[kind];
  const all = hits.length < limit || list === null ? null : `${list}?${new URLSearchParams({ q: text })}`;
  return group(
    title,
    hits.map((hit) => DESCRIBE[kind](hit, found)),
    all,
  );
}

const DESCRIBE: Readonly<Record<SearchHitKind, (hit: SearchHit, found: FoundEverywhere) => Html>> = {
  order: ({ id, title, detail, about, platform, at, ...hit }, { now, platforms }) =>
    link(
      `/dashboard/purchases/${id}`,
      title,
      [platform && platforms.vendorOf(platform), detail, about],
      html`${testBadge(hit)} ${relativeTime(at, now)}`,
    ),
  entry: ({ id, title, detail, platform, status, ...hit }, { platforms }) =>
    link(
      `/dashboard/webhook-log/${id}`,
      title,
      [platform && platforms.vendorOf(platform), detail],
      html`${testBadge(hit)} ${statusBadge('delivery', status as DeliveryStatus)}`,
    ),
  rejected: ({ title, detail, platform, at }, { now, platforms }) =>
    link(
      `/dashboard/settings/integrations/${platform}/rejected`,
      title,
      [platform && platforms.vendorOf(platform), detail],
      relativeTime(at, now),
    ),
  buyer: ({ id, title, detail }) => link(`/dashboard/purchases?customer=${id}`, title, [detail], null),
  product: ({ id, title, detail, status }) =>
    link(
      `/dashboard/products/${id}`,
      title,
      [detail && `SKU ${detail}`],
      statusBadge('product', status as ProductStatus),
    ),
};

function downloadGroup(
  downloads: readonly DownloadSessionRow[],
  { text, limit, now }: FoundEverywhere,
): Html | null {
  if (downloads.length === 0) return null;
  const all = downloads.length < limit ? null : `/dashboard/downloads?${new URLSearchParams({ q: text })}`;
  const links = downloads.map((row) =>
    link(
      `/dashboard/downloads/${row.id}`,
      row.customerName,
      [row.customerEmail, row.movedTo && 'before the address was corrected', row.productName],
      html`${testBadge(row)} ${statusBadge('download', classifyDownload(row, now))}`,
    ),
  );
  return group('Downloads', links, all);
}

function pageGroup(title: string, pages: readonly FoundPage[]): Html | null {
  if (pages.length === 0) return null;
  return group(
    title,
    pages.map(({ href, words, within }) => link(href, words, [within], null)),
    null,
  );
}

function group(title: string, links: readonly Html[], all: string | null): Html {
  const id = `found-${title.toLowerCase().replaceAll(' ', '-')}`;
  return html`<section class="hits" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2>${all && html`<a class="link small" href="${all}">Show all<span class="visually-hidden"> ${title.toLowerCase()}</span></a>`}</header>
<ul>${links.map((one) => html`<li>${one}</li>`)}</ul></section>`;
}

function link(href: string, title: string, details: readonly (string | null)[], end: Html | null): Html {
  const shown = details.filter((detail) => detail !== null && detail !== '');
  return html`<a class="hit" href="${href}"><span class="hit-words"><strong>${longText(title)}</strong>${shown.map((detail) => html` <span class="muted">${longText(detail ?? '')}</span>`)}</span>${end && html`<span class="hit-end">${end}</span>`}</a>`;
}
