import { alertOfRefusal } from '../alerts/alert.ts';
import { linkExpiry } from '../downloads/download-link.ts';
import type { DeliveryStatus } from '../fulfilment/delivery.ts';
import { explainRefusal } from '../fulfilment/explain.ts';
import type { Receipts } from '../ports.ts';
import type { Purchase } from '../purchases/purchase.ts';
import type { OwedReceipt, OwedReceiptItem, ReceiptOutcome } from '../receipts/receipt-claim.ts';
import { raiseAlert } from './in-memory-alerts.ts';
import { claimIdOf, endClaim, heldUntil, holdsClaim, releaseClaim, takeClaim } from './in-memory-claims.ts';
import type { DeliveryRow, Memory, ReceiptRow } from './memory.ts';
import { linksOf, newestFirst, purchasesOf, queueJobs, versionOf } from './memory.ts';

export function createInMemoryReceipts(memory: Memory): Receipts {
  return {
    claim: async (orgId, receiptId, now) => {
      const receipt = memory.receipts.get(receiptId);
      if (receipt?.orgId !== orgId || receipt.status !== 'owed') return { kind: 'settled' };
      const held = heldUntil(receipt, now);
      if (held) return { kind: 'not-now', at: held };
      if (receipt.nextTryAt > now) return { kind: 'not-now', at: receipt.nextTryAt };
      const claimed = { ...receipt, ...takeClaim(receipt, now) };
      memory.receipts.set(receiptId, claimed);
      for (const purchase of purchasesOf(memory, receiptId)) {
        const [link] = newestFirst(linksOf(memory, purchase.id));
        if (link) memory.links.set(link.id, { ...link, expiresAt: linkExpiry(now) });
      }
      return { kind: 'claimed', claimId: claimIdOf(claimed), receipt: describeReceipt(memory, receipt) };
    },
    settle: async (orgId, receiptId, claimId, outcome) => {
      const receipt = memory.receipts.get(receiptId);
      if (receipt?.orgId !== orgId || !holdsClaim(receipt, claimId)) return 'not-held';
      const isOpen = outcome.kind === 'try-again' || outcome.kind === 'postponed';
      if (isOpen && receipt.status !== 'owed') return 'not-held';
      memory.receipts.set(receiptId, settleReceipt(receipt, outcome));
      for (const delivery of memory.deliveries.values()) settleDelivery(memory, delivery, receiptId, outcome);
      if (outcome.kind === 'refused') raiseAlert(memory, describeRefusal(memory, receipt, outcome));
      if (isOpen) {
        const job = { kind: 'send-receipt', orgId, receiptId, startAfter: outcome.nextTryAt } as const;
        queueJobs(memory, [job]);
      }
      return 'settled';
    },
    release: async (orgId, receiptId, claimId) => {
      if (memory.receipts.get(receiptId)?.orgId === orgId) releaseClaim(memory.receipts, receiptId, claimId);
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
  const version = versionOf(memory, purchase);
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
  const open = { ...receipt, ...endClaim(receipt), postponed: false };
  if (outcome.kind === 'postponed') {
    const { nextTryAt } = outcome;
    const untried = { lastAnswer: null, lastAnswerAt: null };
    return { ...open, ...untried, postponed: true, owedSince: nextTryAt, nextTryAt };
  }
  const settled = { ...open, lastAnswer: outcome.answer, lastAnswerAt: outcome.at };
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
  // An entry that names a purchase is an error only for its receipt, which may have been sent after all.
  const isOpen = delivery.status === 'pending' || (delivery.status === 'error' && outcome.kind === 'sent');
  if (!isOpen || delivery.decidedAt === null || !receipts.includes(receiptId)) return;
  const statuses = receipts.map((id) => memory.receipts.get(id)?.status);
  if (outcome.kind === 'sent' && statuses.includes('owed')) return;
  const isRefused = statuses.includes('refused');
  const settled: Record<ReceiptOutcome['kind'], { status: DeliveryStatus; reason: string | null }> = {
    sent: isRefused
      ? { status: 'error', reason: delivery.reason ?? explainRefusal() }
      : { status: 'success', reason: null },
    refused: { status: 'error', reason: 'reason' in outcome ? outcome.reason : null },
    'try-again': { status: 'pending', reason: 'reason' in outcome ? outcome.reason : null },
    postponed: { status: 'pending', reason: 'reason' in outcome ? outcome.reason : null },
  };
  memory.deliveries.set(delivery.id, { ...delivery, ...settled[outcome.kind] });
}

function describeRefusal(
  memory: Memory,
  receipt: ReceiptRow,
  { reason, at }: Extract<ReceiptOutcome, { readonly kind: 'refused' }>,
) {
  const [purchase] = purchasesOf(memory, receipt.id);
  const { connectionId = null, orderId = null, orderNumber = null } = purchase ?? {};
  const [entry] = [...memory.deliveries.values()]
    .filter((row) => orderId !== null && row.connectionId === connectionId && row.orderId === orderId)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const customerEmail = memory.customers.get(receipt.customerId)?.email ?? null;
  const details = { deliveryId: entry?.id ?? null, platform: entry?.platform ?? null };
  return alertOfRefusal(
    { orgId: receipt.orgId, id: receipt.id, connectionId, orderId },
    { ...details, orderNumber, customerEmail, reason, at },
  );
}
