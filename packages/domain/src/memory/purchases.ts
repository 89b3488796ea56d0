import { addDecimals, formatDecimal, parseDecimal } from '../model/currency.ts';
import { isErased } from '../model/erasure.ts';
import { MAX_COUNTED } from '../model/log-entry.ts';
import type {
  FoundPurchase,
  ProductSum,
  Purchase,
  PurchaseFilter,
  PurchasePlace,
  PurchaseRow,
  PurchaseSum,
} from '../model/purchase.ts';
import type { AddSaleResult, NewSale } from '../model/sale.ts';
import type { Purchases, PurchaseWords } from '../ports/purchases.ts';
import { normalizeOrderNumber } from '../purchases/search-words.ts';
import { freshLink, freshReceipt } from './fresh-rows.ts';
import {
  findCustomer,
  isRevoked,
  linksOf,
  type Memory,
  newestFirst,
  newestLinkOf,
  queueJobs,
  rowsWhere,
} from './memory.ts';
import { deleteTest, restoreLinks, revokeLinks, showPurchase } from './purchase-record.ts';
import { findRefund } from './refunds.ts';
import type { IdempotencyRow, LinkRow } from './rows.ts';
import { isOfBuyerOrProduct, isOfNumber } from './search.ts';

export function createInMemoryPurchases(memory: Memory): Purchases {
  const rowsOf = (orgId: string) =>
    newestFirst(rowsWhere(memory.purchases, { orgId })).map((purchase) => describePurchase(memory, purchase));
  const soldIn = (orgId: string, filter: PurchaseFilter) =>
    rowsWhere(memory.purchases, { orgId }).filter((purchase) =>
      matches(memory, purchase, { ...filter, leavesOutTests: true }),
    );
  return {
    add: async (sale) => addSale(memory, sale),
    findRecorded: async (orgId, key) => memory.idempotency.get(`${orgId} ${key}`)?.sale.purchaseId ?? null,
    async *list(orgId) {
      yield* rowsOf(orgId);
    },
    async *listAsJson(orgId, words) {
      for (const row of rowsOf(orgId)) yield writeAsJson(row, words);
    },
    search: async (orgId, { before, limit, olderThan, ...query }) => {
      const found = newestFirst(rowsWhere(memory.purchases, { orgId })).filter(
        (purchase) => isOlder(purchase, olderThan) && matches(memory, purchase, query),
      );
      const start = before === null ? 0 : found.findIndex(({ id }) => id === before) + 1;
      const page = before !== null && start === 0 ? [] : found.slice(start, start + limit);
      return page.map((purchase) => findPurchase(memory, purchase));
    },
    sum: async (orgId, filter) => sumUp(soldIn(orgId, filter)),
    sumByProduct: async (orgId, filter, limit) => sumByProduct(memory, soldIn(orgId, filter)).slice(0, limit),
    show: async (orgId, purchaseId) => {
      const purchase = memory.purchases.get(purchaseId);
      return purchase?.orgId === orgId
        ? showPurchase(memory, purchase, findPurchase(memory, purchase))
        : null;
    },
    revoke: async (orgId, entries, revocationId) =>
      entries
        .filter((entry) => revokeLinks(memory, orgId, entry, revocationId))
        .map(({ subjectId }) => subjectId),
    restore: async (orgId, entries, revocationId) =>
      entries
        .filter((entry) => restoreLinks(memory, orgId, entry, revocationId))
        .map(({ subjectId }) => subjectId),
    deleteTest: async (orgId, purchaseId, entry) => deleteTest(memory, orgId, purchaseId, entry),
    countOfProduct: async (orgId, productId) => {
      const rows = rowsWhere(memory.purchases, { orgId, productId }).filter(
        ({ id }) => !memory.testPurchases.has(id),
      );
      return Math.min(rows.length, MAX_COUNTED + 1);
    },
    countMatching: async (orgId, query, max) =>
      Math.min(
        rowsWhere(memory.purchases, { orgId }).filter((purchase) => matches(memory, purchase, query)).length,
        max,
      ),
    count: async (orgId) => rowsWhere(memory.purchases, { orgId }).length,
  };
}

function sumUp(purchases: readonly Purchase[]): readonly PurchaseSum[] {
  return [...new Set(purchases.map(({ currency }) => currency))]
    .map((currency) => {
      const found = purchases.filter((purchase) => purchase.currency === currency);
      const amounts = found.map(({ amount }) => parseDecimal(amount) ?? ZERO);
      return { currency, purchases: found.length, amount: formatDecimal(amounts.reduce(addDecimals, ZERO)) };
    })
    .sort((a, b) => ((a.currency ?? LAST) < (b.currency ?? LAST) ? -1 : 1));
}

function sumByProduct(memory: Memory, purchases: readonly Purchase[]): readonly ProductSum[] {
  return [...Map.groupBy(purchases, ({ productId }) => productId)]
    .map(([productId, sold]) => ({ productId, sold, name: memory.products.get(productId)?.name ?? '' }))
    .sort(
      (a, b) =>
        b.sold.length - a.sold.length || (`${a.name} ${a.productId}` < `${b.name} ${b.productId}` ? -1 : 1),
    )
    .flatMap(({ productId, sold, name }) => {
      const revoked = sumUp(sold.filter(({ id }) => isRevoked(memory, id)));
      return sumUp(sold).map((sum) => {
        const ofCurrency = revoked.find(({ currency }) => currency === sum.currency);
        return {
          ...sum,
          productId,
          productName: name,
          revoked: ofCurrency?.purchases ?? 0,
          revokedAmount: ofCurrency?.amount ?? '0',
        };
      });
    });
}

const ZERO = { units: 0n, scale: 0 };
/** Sorts after every currency. */
const LAST = '~';

function isOlder({ createdAt, id }: Purchase, than: PurchasePlace | undefined): boolean {
  if (!than) return true;
  return createdAt < than.createdAt || (createdAt.getTime() === than.createdAt.getTime() && id < than.id);
}

function writeAsJson(row: PurchaseRow, words: PurchaseWords): string {
  const members = Object.entries(row).map(([name, value]) => {
    if (name === 'amount') return [name, words.amount(row.amount, row.currency)];
    if (name === 'linkId') return ['downloadUrl', row.linkId && words.downloadUrl(row.linkId)];
    return [name, value];
  });
  return JSON.stringify(Object.fromEntries(members));
}

function describePurchase(memory: Memory, purchase: Purchase): PurchaseRow {
  const customer = memory.customers.get(purchase.customerId);
  const product = memory.products.get(purchase.productId);
  const receipt = purchase.receiptId === null ? undefined : memory.emails.get(purchase.receiptId);
  const link = newestLinkOf(memory, purchase.id);
  return {
    id: purchase.id,
    orgId: purchase.orgId,
    customerId: purchase.customerId,
    customerName: customer?.name ?? '',
    customerEmail: customer?.email ?? '',
    productId: purchase.productId,
    productName: product?.name ?? '',
    productSlug: product?.slug ?? '',
    amount: purchase.amount,
    currency: purchase.currency,
    paymentMethod: purchase.paymentMethod,
    source: purchase.source,
    orderId: purchase.orderId,
    createdAt: purchase.createdAt,
    linkId: link?.id ?? null,
    downloadExpiresAt: link?.expiresAt ?? null,
    downloadUsedAt: link?.usedAt ?? null,
    receiptSentAt: receipt?.sentAt ?? null,
    isTest: memory.testPurchases.has(purchase.id),
  };
}

function findPurchase(memory: Memory, purchase: Purchase): FoundPurchase {
  const receipt = purchase.receiptId === null ? undefined : memory.emails.get(purchase.receiptId);
  const link = newestLinkOf(memory, purchase.id);
  return {
    ...describePurchase(memory, purchase),
    connectionName: (purchase.connectionId && memory.connections.get(purchase.connectionId)?.name) || null,
    orderNumber: purchase.orderNumber,
    receiptStatus: receipt?.status ?? null,
    revokedAt: link?.revokedAt ?? null,
    refundedAt: findRefund(memory, purchase)?.at ?? null,
  };
}

function matches(memory: Memory, purchase: Purchase, query: PurchaseFilter): boolean {
  const receipt = purchase.receiptId === null ? undefined : memory.emails.get(purchase.receiptId);
  if (query.ids && !query.ids.includes(purchase.id)) return false;
  const { revocationId } = query;
  const links = linksOf(memory, purchase.id);
  if (revocationId && !links.some((link) => link.revocationId === revocationId)) return false;
  const isTakenBack = isRevoked(memory, purchase.id);
  if (query.isRevoked && !isTakenBack) return false;
  if (query.isUnopened && (isTakenBack || links.some((link) => isOpened(memory, link)))) return false;
  const refundedAt = findRefund(memory, purchase)?.at;
  if (query.isRefunded && !(refundedAt && isWithin(query.refundedIn, refundedAt))) return false;
  if (query.productId !== null && purchase.productId !== query.productId) return false;
  if (query.customerId !== null && purchase.customerId !== query.customerId) return false;
  if (query.source !== null && purchase.source !== query.source) return false;
  if (query.connectionId && purchase.connectionId !== query.connectionId) return false;
  if (query.receipt !== null && receipt?.status !== query.receipt) return false;
  const isTest = memory.testPurchases.has(purchase.id);
  if (isTest ? query.leavesOutTests : query.onlyTests) return false;
  const { ofOrder: order } = query;
  if (order && (purchase.connectionId !== order.connectionId || purchase.orderId !== order.orderId))
    return false;
  if (!isWithin(query.period, purchase.createdAt)) return false;
  return query.text.trim() === '' || says(memory, purchase, query.text);
}

function isWithin(period: PurchaseFilter['period'], at: Date): boolean {
  const { from = null, until = null } = period ?? {};
  return (from === null || at >= from) && (until === null || at < until);
}

/** A download counts as well, because the library offers files without opening the page of their link. */
function isOpened({ sessions }: Memory, { id, openedCount, usedAt }: LinkRow): boolean {
  return openedCount > 0 || usedAt !== null || rowsWhere(sessions, { linkId: id }).length > 0;
}

function says(memory: Memory, purchase: Purchase, text: string): boolean {
  const number = normalizeOrderNumber(text) || null;
  return isOfNumber(purchase, purchase.source, number) || isOfBuyerOrProduct(memory, purchase, text);
}

function addSale(memory: Memory, sale: NewSale): AddSaleResult {
  const { orgId, customer, purchase, link, receipt, idempotency } = sale;
  const earlier = idempotency && memory.idempotency.get(`${orgId} ${idempotency.key}`);
  if (earlier) {
    return earlier.fingerprint === idempotency.fingerprint
      ? { kind: 'recorded', ...asItIsNow(memory, earlier.sale) }
      : { kind: 'key-reused' };
  }
  if (customer && findCustomer(memory, orgId, customer.email)) return { kind: 'customer-exists' };
  if (!customer && !isKnown(memory, orgId, purchase.customerId)) return { kind: 'unknown-customer' };
  const product = memory.products.get(purchase.productId);
  if (product?.orgId !== orgId) return { kind: 'unknown-product' };
  if (product.activeVersionId !== purchase.versionId) return { kind: 'changed-meanwhile' };

  if (customer) memory.customers.set(customer.id, customer);
  if (receipt) {
    memory.emails.set(receipt.id, freshReceipt(receipt));
  }
  memory.purchases.set(purchase.id, purchase);
  memory.links.set(link.id, freshLink(link));
  memory.activity.set(sale.activity.id, { ...sale.activity, orgId });
  queueJobs(memory, sale.jobs);
  const recorded = { purchaseId: purchase.id, customerId: purchase.customerId, linkId: link.id };
  if (idempotency) {
    const { key, fingerprint } = idempotency;
    memory.idempotency.set(`${orgId} ${key}`, { fingerprint, sale: recorded });
  }
  return { kind: 'recorded', ...recorded };
}

function isKnown({ customers }: Memory, orgId: string, customerId: string): boolean {
  const customer = customers.get(customerId);
  return customer?.orgId === orgId && !isErased(customer.email);
}

/** The sale with its current customer and link: the address may have been corrected since it was recorded. */
function asItIsNow(memory: Memory, { purchaseId, customerId, linkId }: IdempotencyRow['sale']) {
  const purchase = memory.purchases.get(purchaseId);
  const newest = newestLinkOf(memory, purchaseId);
  return { purchaseId, customerId: purchase?.customerId ?? customerId, linkId: newest?.id ?? linkId };
}
