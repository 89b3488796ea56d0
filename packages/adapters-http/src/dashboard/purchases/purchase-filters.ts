import type { FoundPurchase, Platforms, ProductListRow, PurchaseQuery } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { type AskedDays, daysFields } from '../parts/days.ts';
import { filterForm } from '../parts/filter-form.ts';
import { filterSelect, hiddenField } from '../parts/form.ts';
import { chosenWords, daysInTitle, listTitle, quoted } from '../parts/list-title.ts';
import { searchField } from '../parts/search-field.ts';
import type { ListPage } from '../take-page.ts';
import { statusOfQuery } from './read-purchase-query.ts';
import { type SourceChoice, valueOfSource } from './source-words.ts';

/** A page of the list, with the filters by which it was found. */
export interface FilteredPurchases extends ListPage<FoundPurchase> {
  readonly query: Omit<PurchaseQuery, 'limit'>;
  readonly days: AskedDays;
  /** The options of the filter. */
  readonly products: readonly ProductListRow[];
  readonly sources: readonly SourceChoice[];
  readonly platforms: Platforms;
}

export function purchaseFilters(list: FilteredPurchases): Html {
  const { text, productId, receipt, customerId } = list.query;
  const source = valueOfSource(list.query);
  const products = list.products.map(({ product }) => ({ value: product.id, words: product.name }));
  const status = statusOfQuery(list.query);
  const chosen = [productId, source, receipt, status, list.days.from || list.days.to].filter(Boolean).length;
  const more = html`${filterSelect('product', 'Product', [{ value: '', words: 'All products' }, ...products], productId)}
${filterSelect('source', 'Source', [{ value: '', words: 'All sources' }, ...list.sources], source)}
${filterSelect('receipt', 'Receipt', RECEIPTS, receipt)}
${filterSelect('status', 'Status', STATUSES, status)}
${daysFields(list.days)}`;
  return filterForm({
    path: '/dashboard/purchases',
    look: html`class="filters purchase-filters"`,
    fields: searchField({ label: 'Search purchases', text, placeholder: 'Buyer, order, product or SKU' }),
    more: { fields: more, chosen },
    end: customerId === null ? null : hiddenField('customer', customerId),
  });
}

export const RECEIPTS = [
  { value: '', words: 'Any receipt' },
  { value: 'refused', words: 'Receipt refused' },
  { value: 'pending', words: 'Receipt pending' },
];

export const STATUSES = [
  { value: '', words: 'Any status' },
  { value: 'unopened', words: 'Not opened yet' },
  { value: 'revoked', words: 'Revoked' },
  { value: 'refunded', words: 'With a refund' },
  { value: 'refund-days', words: 'By refund day' },
  { value: 'test', words: 'Test orders' },
];

/** The filters, as an address has them. */
export function filtersOf({ query, days }: Pick<FilteredPurchases, 'query' | 'days'>): URLSearchParams {
  const status = statusOfQuery(query);
  const source = valueOfSource(query);
  return new URLSearchParams({
    ...(query.text.trim() && { q: query.text }),
    ...(query.productId && { product: query.productId }),
    ...(source && { source }),
    ...(query.receipt && { receipt: query.receipt }),
    ...(status && { status }),
    ...(query.customerId && { customer: query.customerId }),
    ...(days.from && { from: days.from }),
    ...(days.to && { to: days.to }),
  });
}

/** The title of the window. */
export function nameView({ query, days, products, sources, found }: FilteredPurchases): string {
  const { text, productId, customerId, receipt, before } = query;
  const product = products.find(({ product: { id } }) => id === productId);
  const filters = [
    quoted(text),
    customerId === null ? null : `bought by ${found[0]?.customerEmail ?? 'one buyer'}`,
    product?.product.name ?? (productId && 'one product'),
    chosenWords(sources, valueOfSource(query)),
    chosenWords(RECEIPTS, receipt),
    chosenWords(STATUSES, statusOfQuery(query)),
    daysInTitle(days),
  ];
  return listTitle('Purchases', filters, { olderFrom: before === null ? null : found[0]?.createdAt });
}
