import type { ProductListRow, ProductStatus } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { boxIcon, plusIcon } from '../../pages/icons.ts';
import type { Answer } from '../dashboard-route.ts';
import { statusBadge } from '../parts/badge.ts';
import { linkButton } from '../parts/button.ts';
import { emptyState } from '../parts/empty-state.ts';
import { filterForm } from '../parts/filter-form.ts';
import { filterSelect } from '../parts/form.ts';
import { noMatchIcon } from '../parts/icons.ts';
import { chosenWords, listTitle, quoted } from '../parts/list-title.ts';
import { longText } from '../parts/long-text.ts';
import { newsOfList } from '../parts/news.ts';
import { pageHeader } from '../parts/page-header.ts';
import { searchField } from '../parts/search-field.ts';
import { olderLink, rowLink, table } from '../parts/table.ts';
import { relativeTime } from '../parts/time.ts';
import type { ListPage } from '../take-page.ts';

interface ProductList extends ListPage<ProductListRow> {
  readonly text: string;
  readonly status: ProductStatus | null;
  /** Not the newest page. */
  readonly isOlder: boolean;
  readonly now: Date;
}

export function productListPage(list: ProductList): Answer {
  const isNarrowed = list.text.trim() !== '' || list.status !== null;
  const isBare = list.found.length === 0 && !isNarrowed;
  const main = html`${pageHeader({
    title: 'Products',
    meta: ['What your orders deliver'],
    actions: [
      linkButton('/dashboard/products/new', { words: 'New product', icon: plusIcon, primary: !isBare }),
    ],
  })}${isBare ? '' : filters(list)}<div id="found" ${newsOfList(list, 'product')}>${found(list, isNarrowed)}</div>`;
  const olderFrom = list.isOlder ? list.found[0]?.product.createdAt : null;
  const windowTitle = listTitle('Products', [quoted(list.text), chosenWords(STATUSES, list.status)], {
    olderFrom,
  });
  return { kind: 'page', title: 'Products', windowTitle, main };
}

function filters({ text, status }: ProductList): Html {
  const fields = html`${searchField({ label: 'Search products', text, placeholder: 'Name or slug' })}
${filterSelect('status', 'Status', STATUSES, status)}`;
  return filterForm({ path: '/dashboard/products', fields });
}

const STATUSES = [
  { value: '', words: 'All products' },
  { value: 'published', words: 'Published' },
  { value: 'draft', words: 'Drafts' },
  { value: 'archived', words: 'Archived' },
];

function found(list: ProductList, isNarrowed: boolean): Html {
  if (list.found.length === 0)
    return html`<section class="card">${isNarrowed ? noMatch(list) : noProducts()}</section>`;
  return html`<section class="card">${table({
    label: 'Products',
    rows: list.found,
    columns: [
      { head: 'Product', cell: ({ product }) => rowLink(`/dashboard/products/${product.id}`, product.name) },
      { head: 'Status', narrow: 'corner', cell: ({ product }) => statusBadge('product', product.status) },
      {
        head: 'Slug',
        narrow: 'line',
        cell: ({ product }) => html`<span class="mono muted">${longText(product.slug)}</span>`,
      },
      { head: 'Live version', cell: ({ activeVersion }) => liveVersion(activeVersion?.version ?? null) },
      {
        head: 'Changed',
        number: true,
        narrow: 'hidden',
        cell: ({ product }) => html`<span class="muted">${relativeTime(product.updatedAt, list.now)}</span>`,
      },
    ],
  })}${list.isMore ? olderLink(olderAddress(list)) : ''}</section>`;
}

function liveVersion(version: string | null): Html {
  return version === null
    ? html`<span class="muted"><span class="only-narrow">No live version</span><span class="only-wide">None</span></span>`
    : html`<span class="only-narrow muted">Version </span><span class="figure">${longText(version)}</span>`;
}

function olderAddress({ found, text, status }: ProductList): string {
  const query = new URLSearchParams({ before: found.at(-1)?.product.id ?? '' });
  if (text.trim() !== '') query.set('q', text);
  if (status !== null) query.set('status', status);
  return `/dashboard/products?${query}`;
}

function noProducts(): Html {
  return emptyState({
    icon: boxIcon,
    title: 'No products yet',
    sentence: 'Add what you sell, upload its files and publish it. From then on each paid order delivers it.',
    actions: [linkButton('/dashboard/products/new', { words: 'Add the first product', primary: true })],
  });
}

function noMatch({ text, status }: ProductList): Html {
  const clear = linkButton('/dashboard/products', { words: 'Clear search' });
  const words = STATUSES.find(({ value }) => value === status)?.words.toLowerCase() ?? 'products';
  return emptyState({
    icon: noMatchIcon,
    title: text.trim() === '' ? `No ${words}` : `Nothing for “${text.trim()}”`,
    sentence: `We looked at the names and slugs of all ${status === null ? '' : `${status} `}products.`,
    actions: [clear],
  });
}
