import { linkExpiry } from '../downloads/download-link.ts';
import type { DeliveryStatus } from '../fulfilment/delivery.ts';
import type { DownloadLinks, Purchases, Receipts } from '../ports.ts';
import type { Purchase } from '../purchases/purchase.ts';
import type { OwedReceipt, OwedReceiptItem, ReceiptOutcome } from '../receipts/receipt-claim.ts';
import type { DeliveryRow, LinkRow, Memory, ReceiptRow } from './memory.ts';
import { jobKey, newestFirst } from './memory.ts';

/** How soon to ask again for a receipt that someone else holds. */
const CLAIM_PAUSE_MS = 15_000;

export function createInMemoryReceipts(memory: Memory): Receipts {
  return {
    claim: async (orgId, receiptId, now) => {
      const receipt = memory.receipts.get(receiptId);
      if (receipt?.orgId !== orgId || receipt.status !== 'owed') return { kind: 'settled' };
      if (receipt.claimed) return { kind: 'not-now', at: new Date(now.getTime() + CLAIM_PAUSE_MS) };
      if (receipt.nextTryAt > now) return { kind: 'not-now', at: receipt.nextTryAt };
      memory.receipts.set(receiptId, { ...receipt, claimed: true });
      for (const purchase of purchasesOf(memory, receiptId)) {
        for (const link of linksOf(memory, purchase.id)) {
          memory.links.set(link.id, { ...link, expiresAt: linkExpiry(now) });
        }
      }
      return { kind: 'claimed', receipt: describeReceipt(memory, receipt) };
    },
    settle: async (orgId, receiptId, outcome) => {
      const receipt = memory.receipts.get(receiptId);
      if (receipt?.orgId !== orgId || receipt.status === 'sent') return;
      memory.receipts.set(receiptId, settleReceipt(receipt, outcome));
      for (const delivery of memory.deliveries.values()) settleDelivery(memory, delivery, receiptId, outcome);
      if (outcome.kind === 'try-again') {
        const job = { kind: 'send-receipt', orgId, receiptId, startAfter: outcome.nextTryAt } as const;
        memory.jobs.set(jobKey(job), job);
      }
    },
  };
}

export function createInMemoryPurchases(memory: Memory): Purchases {
  return {
    async *list(orgId) {
      for (const purchase of newestFirst(memory.purchases.values())) {
        if (purchase.orgId !== orgId) continue;
        const customer = memory.customers.get(purchase.customerId);
        const product = memory.products.get(purchase.productId);
        const receipt = purchase.receiptId === null ? undefined : memory.receipts.get(purchase.receiptId);
        const [link] = newestFirst(linksOf(memory, purchase.id));
        yield {
          id: purchase.id,
          orgId,
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
    },
  };
}

export function createInMemoryDownloadLinks(memory: Memory): DownloadLinks {
  return {
    find: async (orgId, linkId) => {
      const link = memory.links.get(linkId);
      const purchase = link?.orgId === orgId ? memory.purchases.get(link.purchaseId) : undefined;
      const organisation = memory.organisations.get(orgId);
      const customer = purchase && memory.customers.get(purchase.customerId);
      if (!link || !purchase || !organisation || !customer) return null;
      const version = purchase.versionId === null ? undefined : memory.versions.get(purchase.versionId);
      return {
        linkId,
        orgId,
        expiresAt: link.expiresAt,
        revokedAt: link.revokedAt,
        usedAt: link.usedAt,
        organisation: { name: organisation.name, email: organisation.email },
        customer: { name: customer.name, email: customer.email },
        orderNumber: purchase.orderNumber,
        productName: memory.products.get(purchase.productId)?.name ?? '',
        version: version ? { label: version.version, files: memory.files.get(version.id) ?? [] } : null,
      };
    },
    refresh: async (orgId, linkId, at, expiresAt) => {
      const link = memory.links.get(linkId);
      if (link?.orgId !== orgId || link.revokedAt !== null || link.expiresAt <= at) return false;
      memory.links.set(linkId, { ...link, expiresAt, openedCount: link.openedCount + 1 });
      return true;
    },
  };
}

function describeReceipt(memory: Memory, receipt: ReceiptRow): OwedReceipt {
  const organisation = memory.organisations.get(receipt.orgId);
  const customer = memory.customers.get(receipt.customerId);
  const purchases = purchasesOf(memory, receipt.id);
  return {
    id: receipt.id,
    orgId: receipt.orgId,
    orderedAt: receipt.createdAt,
    owedSince: receipt.owedSince,
    attempts: receipt.attempts,
    organisation: { name: organisation?.name ?? '', email: organisation?.email ?? '' },
    customer: { name: customer?.name ?? '', email: customer?.email ?? '' },
    orderNumber: purchases[0]?.orderNumber ?? null,
    items: purchases.map((purchase) => describeItem(memory, purchase)),
  };
}

function describeItem(memory: Memory, purchase: Purchase): OwedReceiptItem {
  const version = purchase.versionId === null ? undefined : memory.versions.get(purchase.versionId);
  const files = version ? (memory.files.get(version.id) ?? []) : [];
  const [link] = newestFirst(linksOf(memory, purchase.id));
  return {
    productName: memory.products.get(purchase.productId)?.name ?? '',
    version: version?.version ?? null,
    fileCount: files.length,
    totalSize: files.reduce((sum, { size }) => sum + size, 0),
    amount: purchase.amount,
    currency: purchase.currency,
    linkId: link?.id ?? '',
  };
}

function settleReceipt(receipt: ReceiptRow, outcome: ReceiptOutcome): ReceiptRow {
  const settled = { ...receipt, claimed: false, lastAnswer: outcome.answer };
  if (outcome.kind === 'sent') return { ...settled, status: 'sent', sentAt: outcome.at };
  if (outcome.kind === 'refused') return { ...settled, status: 'refused', attempts: receipt.attempts + 1 };
  return { ...settled, attempts: receipt.attempts + 1, nextTryAt: outcome.nextTryAt };
}

function settleDelivery(
  memory: Memory,
  delivery: DeliveryRow,
  receiptId: string,
  outcome: ReceiptOutcome,
): void {
  const receipts = delivery.lines.flatMap(({ purchaseId }) => {
    const purchase = purchaseId === null ? undefined : memory.purchases.get(purchaseId);
    return purchase?.receiptId ? [purchase.receiptId] : [];
  });
  if (delivery.status !== 'pending' || delivery.decidedAt === null || !receipts.includes(receiptId)) return;
  const stillOwed = receipts.some((id) => memory.receipts.get(id)?.status === 'owed');
  const settled: Record<ReceiptOutcome['kind'], { status: DeliveryStatus; reason: string | null }> = {
    sent: { status: stillOwed ? 'pending' : 'success', reason: stillOwed ? delivery.reason : null },
    refused: { status: 'error', reason: 'reason' in outcome ? outcome.reason : null },
    'try-again': { status: 'pending', reason: 'reason' in outcome ? outcome.reason : null },
  };
  memory.deliveries.set(delivery.id, { ...delivery, ...settled[outcome.kind] });
}

function purchasesOf({ purchases }: Memory, receiptId: string): readonly Purchase[] {
  return [...purchases.values()].filter((purchase) => purchase.receiptId === receiptId);
}

function linksOf({ links }: Memory, purchaseId: string): readonly LinkRow[] {
  return [...links.values()].filter((link) => link.purchaseId === purchaseId);
}
