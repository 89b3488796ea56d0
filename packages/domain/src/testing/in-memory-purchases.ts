import { foldSku } from '../catalogue/sku-mapping.ts';
import type { DownloadLinks, Purchases } from '../ports.ts';
import { foldEmail } from '../purchases/email.ts';
import type { Purchase, PurchaseRow } from '../purchases/purchase.ts';
import type { FoundPurchase, PurchaseQuery } from '../purchases/purchase-query.ts';
import type { AddSaleResult, NewSale } from '../purchases/sale.ts';
import { foldOrderNumber, searchWords } from '../purchases/search-words.ts';
import type { LinkRow, Memory } from './memory.ts';
import { jobKey, linksOf, newerVersionOf, newestFirst, versionOf } from './memory.ts';

export function createInMemoryPurchases(memory: Memory): Purchases {
  return {
    add: async (sale) => addSale(memory, sale),
    async *list(orgId) {
      for (const purchase of newestFirst(memory.purchases.values())) {
        if (purchase.orgId === orgId) yield describePurchase(memory, purchase);
      }
    },
    search: async (orgId, { before, limit, ...query }) => {
      const found = newestFirst(memory.purchases.values()).filter(
        (purchase) => purchase.orgId === orgId && matches(memory, purchase, query),
      );
      const start = before === null ? 0 : found.findIndex(({ id }) => id === before) + 1;
      const page = before !== null && start === 0 ? [] : found.slice(start, start + limit);
      return page.map((purchase) => findPurchase(memory, purchase));
    },
    count: async (orgId) => [...memory.purchases.values()].filter((row) => row.orgId === orgId).length,
  };
}

function describePurchase(memory: Memory, purchase: Purchase): PurchaseRow {
  const customer = memory.customers.get(purchase.customerId);
  const product = memory.products.get(purchase.productId);
  const receipt = purchase.receiptId === null ? undefined : memory.receipts.get(purchase.receiptId);
  const [link] = newestFirst(linksOf(memory, purchase.id));
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
  };
}

function findPurchase(memory: Memory, purchase: Purchase): FoundPurchase {
  const receipt = purchase.receiptId === null ? undefined : memory.receipts.get(purchase.receiptId);
  const [link] = newestFirst(linksOf(memory, purchase.id));
  return {
    ...describePurchase(memory, purchase),
    orderNumber: purchase.orderNumber,
    receiptStatus: receipt?.status ?? null,
    revokedAt: link?.revokedAt ?? null,
  };
}

function matches(
  memory: Memory,
  purchase: Purchase,
  query: Omit<PurchaseQuery, 'before' | 'limit'>,
): boolean {
  const receipt = purchase.receiptId === null ? undefined : memory.receipts.get(purchase.receiptId);
  if (query.productId !== null && purchase.productId !== query.productId) return false;
  if (query.customerId !== null && purchase.customerId !== query.customerId) return false;
  if (query.source !== null && purchase.source !== query.source) return false;
  if (query.receipt !== null && receipt?.status !== query.receipt) return false;
  return query.text.trim() === '' || says(memory, purchase, query.text);
}

function says(memory: Memory, purchase: Purchase, text: string): boolean {
  const number = foldOrderNumber(text);
  const numbers = [purchase.orderNumber, purchase.orderId].flatMap((one) =>
    one ? [foldOrderNumber(one)] : [],
  );
  if (number !== '' && numbers.some((one) => one.startsWith(number))) return true;
  const words = searchWords(text);
  const beginIn = (haystack: string) =>
    words.length > 0 && words.every((word) => searchWords(haystack).some((one) => one.startsWith(word)));
  const customer = memory.customers.get(purchase.customerId);
  if (customer && beginIn(`${customer.name} ${customer.email}`)) return true;
  const product = memory.products.get(purchase.productId);
  if (product && beginIn(`${product.name} ${product.slug}`)) return true;
  return [...memory.mappings.values()].some(
    ({ orgId, sku, productId }) =>
      orgId === purchase.orgId && productId === purchase.productId && sku === foldSku(text),
  );
}

export function createInMemoryDownloadLinks(memory: Memory): DownloadLinks {
  return {
    find: async (orgId, linkId) => {
      const link = memory.links.get(linkId);
      const purchase = link?.orgId === orgId ? memory.purchases.get(link.purchaseId) : undefined;
      const organisation = memory.organisations.get(orgId);
      const customer = purchase && memory.customers.get(purchase.customerId);
      if (!link || !purchase || !organisation || !customer) return null;
      const version = versionOf(memory, purchase);
      return {
        linkId,
        orgId,
        purchaseId: purchase.id,
        expiresAt: link.expiresAt,
        revokedAt: link.revokedAt,
        usedAt: link.usedAt,
        organisation: { name: organisation.name, email: organisation.email },
        customer: { name: customer.name, email: customer.email },
        orderNumber: purchase.orderNumber,
        productName: memory.products.get(purchase.productId)?.name ?? '',
        version: version ? { label: version.version, files: memory.files.get(version.id) ?? [] } : null,
        newerVersion: newerVersionOf(memory, purchase)?.version ?? null,
      };
    },
    refresh: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) =>
        works(link, at) ? { ...link, expiresAt, openedCount: link.openedCount + 1 } : null,
      ),
    prolong: async (orgId, linkId, at, expiresAt) =>
      changeLink(memory, orgId, linkId, (link) => (works(link, at) ? { ...link, expiresAt } : null)),
    revoke: async (orgId, linkId, at) =>
      changeLink(memory, orgId, linkId, (link) => ({ ...link, revokedAt: link.revokedAt ?? at })),
    restore: async (orgId, linkId) =>
      changeLink(memory, orgId, linkId, (link) => ({ ...link, revokedAt: null })),
  };
}

function works(link: LinkRow, at: Date): boolean {
  return link.revokedAt === null && link.expiresAt > at;
}

function changeLink(
  { links }: Memory,
  orgId: string,
  linkId: string,
  change: (link: LinkRow) => LinkRow | null,
): boolean {
  const link = links.get(linkId);
  const changed = link?.orgId === orgId ? change(link) : null;
  if (changed) links.set(linkId, changed);
  return changed !== null;
}

function addSale(memory: Memory, sale: NewSale): AddSaleResult {
  const { orgId, customer, purchase, link, receipt, idempotency } = sale;
  const earlier = idempotency && memory.idempotency.get(`${orgId} ${idempotency.key}`);
  if (earlier) {
    return earlier.fingerprint === idempotency.fingerprint
      ? { kind: 'recorded', ...earlier.sale }
      : { kind: 'key-reused' };
  }
  if (customer && isOnRecord(memory, orgId, customer.email)) return { kind: 'customer-exists' };
  if (!customer && memory.customers.get(purchase.customerId)?.orgId !== orgId)
    return { kind: 'unknown-customer' };
  if (memory.products.get(purchase.productId)?.orgId !== orgId) return { kind: 'unknown-product' };

  if (customer) memory.customers.set(customer.id, customer);
  if (receipt) {
    memory.receipts.set(receipt.id, {
      ...receipt,
      status: 'owed',
      owedSince: receipt.createdAt,
      attempts: 0,
      lastAnswer: null,
      nextTryAt: receipt.createdAt,
      claimedUntil: null,
      sentAt: null,
    });
  }
  memory.purchases.set(purchase.id, purchase);
  memory.links.set(link.id, { ...link, openedCount: 0, usedAt: null, revokedAt: null });
  memory.activity.set(sale.activity.id, { ...sale.activity, orgId });
  for (const job of sale.jobs) memory.jobs.set(jobKey(job), job);
  const recorded = { purchaseId: purchase.id, customerId: purchase.customerId, linkId: link.id };
  if (idempotency) {
    const { key, fingerprint } = idempotency;
    memory.idempotency.set(`${orgId} ${key}`, { fingerprint, sale: recorded });
  }
  return { kind: 'recorded', ...recorded };
}

function isOnRecord({ customers }: Memory, orgId: string, email: string): boolean {
  return [...customers.values()].some(
    (customer) => customer.orgId === orgId && foldEmail(customer.email) === foldEmail(email),
  );
}
