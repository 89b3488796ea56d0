import { normalizeEmail } from '../model/email-address.ts';
import { SHARED_PLATFORM } from '../model/platform.ts';
import type { Purchase } from '../model/purchase.ts';
import type { SearchHit, SearchTerms } from '../model/search.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import { compareHits, isTail } from '../overview/search.ts';
import type { EverywhereSearch } from '../ports/overview.ts';
import { normalizeOrderNumber, searchWords, wordsToFind } from '../purchases/search-words.ts';
import { isNeeded } from './collected-alerts.ts';
import { type Memory, rowsWhere } from './memory.ts';
import type { DeliveryRow } from './rows.ts';

export function createInMemorySearch(memory: Memory): EverywhereSearch {
  return {
    find: async (orgId, { terms, includesSales, limit }) => {
      // In the order of the names of the kinds.
      const kinds = includesSales
        ? [findBuyers, findEntries, findOrders, findProducts, findRejected]
        : [findProducts];
      return kinds.flatMap((findKind) =>
        findKind(memory, orgId, terms).toSorted(compareHits).slice(0, limit),
      );
    },
  };
}

function findBuyers({ customers }: Memory, orgId: string, terms: SearchTerms): readonly SearchHit[] {
  const { words, address } = terms;
  return [...customers.values()]
    .filter((row) => row.orgId === orgId && beginIn(words, wordsToFind(`${row.name} ${row.email}`)))
    .map(({ id, name, email, createdAt }) => ({
      ...EMPTY,
      kind: 'buyer',
      id,
      title: name,
      detail: email,
      isExact: normalizeEmail(email) === address,
      at: createdAt,
    }));
}

function findOrders(memory: Memory, orgId: string, { orderNumber }: SearchTerms): readonly SearchHit[] {
  return [...memory.purchases.values()]
    .filter((row) => row.orgId === orgId && isOfNumber(row, row.source, orderNumber))
    .map((row) => ({
      ...EMPTY,
      kind: 'order',
      id: row.id,
      title: row.orderNumber ?? row.orderId ?? '',
      detail: memory.customers.get(row.customerId)?.name ?? '',
      about: memory.products.get(row.productId)?.name ?? '',
      platform: row.source,
      isExact: numbersOf(row).some((one) => one === orderNumber),
      isTest: memory.testPurchases.has(row.id),
      at: row.createdAt,
    }));
}

function findEntries(memory: Memory, orgId: string, terms: SearchTerms): readonly SearchHit[] {
  const { orderNumber, address, addressStart, sku } = terms;
  const newest = new Map<string, SearchHit>();
  const rows = [...memory.deliveries.values()]
    .filter((row) => row.orgId === orgId && row.orderId !== null && isUndelivered(memory, row))
    .filter((row) => row.lines.every(({ purchaseId }) => purchaseId === null))
    .filter(
      (row) =>
        isOfNumber(row, row.platform, orderNumber) ||
        (address !== null && row.normalizedEmail === address) ||
        (row.status !== 'ignored' && beginsWith(row.normalizedEmail ?? '', addressStart)) ||
        row.lines.some((line) => beginsWith(line.sku.slice(0, 200).toLowerCase(), sku)),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const row of rows) {
    newest.set(`${row.connectionId} ${row.orderId}`, {
      ...EMPTY,
      kind: 'entry',
      id: row.id,
      title: row.orderNumber ?? row.orderId ?? '',
      detail: row.normalizedEmail,
      platform: row.platform,
      status: row.status,
      isExact: numbersOf(row).some((one) => one === orderNumber),
      isTest: row.isTest === true,
      at: row.receivedAt,
    });
  }
  return [...newest.values()];
}

/** Whether nothing was delivered. An ignored entry does not count if another entry of its order was not ignored. */
function isUndelivered(memory: Memory, row: DeliveryRow): boolean {
  if (row.status !== 'ignored') return row.status !== 'success';
  return ![...memory.deliveries.values()].some(
    (other) =>
      other.orgId === row.orgId &&
      other.connectionId === row.connectionId &&
      other.orderId === row.orderId &&
      other.status !== 'ignored',
  );
}

function findProducts(memory: Memory, orgId: string, { words, sku }: SearchTerms): readonly SearchHit[] {
  return [...memory.products.values()].flatMap((product) => {
    if (product.orgId !== orgId) return [];
    const skus = [...memory.mappings.values()]
      .filter((row) => row.orgId === orgId && row.productId === product.id && beginsWith(row.sku, sku))
      .map((row) => row.sku)
      .sort();
    // Sorted, so an exact match comes before longer SKUs that begin with the text.
    const [named = null] = skus;
    if (named === null && !beginIn(words, searchWords(`${product.name} ${product.slug}`))) return [];
    const isExact = sku !== null && (product.slug === sku || named === sku);
    const { id, name: title, status, createdAt: at } = product;
    return [{ ...EMPTY, kind: 'product', id, title, detail: named, status, isExact, at } as const];
  });
}

function findRejected(
  memory: Memory,
  orgId: string,
  { orderNumber: number, address }: SearchTerms,
): readonly SearchHit[] {
  return [...rowsWhere(memory.rejected, { orgId })].flatMap((row) => {
    const { id, platform, receivedAt: at, order } = row;
    if (!order || !isNeeded(memory, row)) return [];
    const named = { orderId: order.orderId, orderNumber: order.orderNumber ?? null };
    const isMeant = isOfNumber(named, platform, number) || order.normalizedEmail === address;
    if (!isMeant) return [];
    const title = named.orderNumber ?? named.orderId;
    const isExact = numbersOf(named).some((one) => one === number);
    const found = {
      kind: 'rejected',
      id,
      title,
      detail: order.normalizedEmail,
      platform,
      isExact,
      at,
    } as const;
    return [{ ...EMPTY, ...found }];
  });
}

const EMPTY = { detail: null, about: null, platform: null, status: null, isTest: false } as const;

/** Whether the text names the customer or the product, according to `searchWords` and `wordsToFind`. */
export function isOfBuyerOrProduct(memory: Memory, purchase: Purchase, text: string): boolean {
  const words = searchWords(text);
  const customer = memory.customers.get(purchase.customerId);
  if (customer && beginIn(words, wordsToFind(`${customer.name} ${customer.email}`))) return true;
  const product = memory.products.get(purchase.productId);
  if (product && beginIn(words, searchWords(`${product.name} ${product.slug}`))) return true;
  const { orgId, productId } = purchase;
  return rowsWhere(memory.mappings, { orgId, productId, sku: normalizeSku(text) }).length > 0;
}

function beginIn(words: readonly string[], known: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => known.some((one) => one.startsWith(word)));
}

function numbersOf(row: { readonly orderNumber: string | null; readonly orderId: string | null }) {
  return [row.orderNumber, row.orderId].flatMap((one) => (one === null ? [] : [normalizeOrderNumber(one)]));
}

/** Whether an order's number or id begins with this number, or a long id ends with it. Null: the text is not a number. */
export function isOfNumber(
  row: Parameters<typeof numbersOf>[0],
  platform: string,
  number: string | null,
): boolean {
  if (numbersOf(row).some((one) => beginsWith(one, number))) return true;
  const hasTail = number !== null && isTail(number) && row.orderId?.toLowerCase().endsWith(number);
  return platform === SHARED_PLATFORM && hasTail === true;
}

function beginsWith(text: string, start: string | null): boolean {
  return start !== null && text.startsWith(start);
}
