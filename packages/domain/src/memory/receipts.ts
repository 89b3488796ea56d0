import { explainRefusal } from '../fulfilment/evaluate-delivery.ts';
import { alertOfRefusal } from '../model/alert.ts';
import type { DeliveryStatus } from '../model/delivery.ts';
import { linkExpiry } from '../model/download-link.ts';
import { DEFAULT_LANGUAGE, DEFAULT_TIME_ZONE } from '../model/language.ts';
import type { EmailOutcome } from '../model/outgoing-email.ts';
import { listFilesInMail } from '../model/product.ts';
import type { Purchase } from '../model/purchase.ts';
import type { PendingReceipt, PendingReceiptItem, ShownReceipt } from '../model/receipt.ts';
import { raiseAlert } from './alerts.ts';
import {
  isRevoked,
  linksOf,
  type Memory,
  newestFirst,
  newestLinkOf,
  purchasesOf,
  rowsWhere,
  versionOf,
} from './memory.ts';
import type { DeliveryRow, EmailRow } from './rows.ts';

export function prepareReceipt(memory: Memory, receipt: EmailRow, now: Date): PendingReceipt {
  for (const purchase of listMailed(memory, receipt)) {
    const link = newestLinkOf(memory, purchase.id);
    if (link) memory.links.set(link.id, { ...link, expiresAt: linkExpiry(now) });
  }
  return describeReceipt(memory, receipt);
}

/** Updates the entries that wait for the receipt after a try, and raises an alert if it was refused. */
export function endReceipt(memory: Memory, receipt: EmailRow, outcome: EmailOutcome): void {
  // Only entries of its order can name the purchases of a receipt.
  const [{ orgId, connectionId, orderId } = NO_PURCHASE] = purchasesOf(memory, receipt.id);
  const entries = connectionId === null ? [] : rowsWhere(memory.deliveries, { orgId, connectionId, orderId });
  for (const delivery of entries) resolveDelivery(memory, delivery, receipt.id, outcome);
  if (outcome.kind === 'refused') raiseAlert(memory, describeRefusal(memory, receipt, outcome));
}

const NO_PURCHASE = { orgId: '', connectionId: null, orderId: null };

export function showReceipt(memory: Memory, orgId: string, purchaseId: string): ShownReceipt | null {
  const receipt = memory.emails.get(memory.purchases.get(purchaseId)?.receiptId ?? '');
  if (receipt?.orgId !== orgId) return null;
  const { status, sentAt } = receipt;
  const now = describeReceipt(memory, receipt);
  if (!receipt.sentContent) return { receipt: now, status, sentAt, worksUntil: null };
  const { worksUntil, ...content } = receipt.sentContent;
  return { receipt: { ...now, ...content }, status, sentAt, worksUntil };
}

function describeReceipt(memory: Memory, receipt: EmailRow): PendingReceipt {
  const organisation = memory.organisations.get(receipt.orgId);
  const customer = memory.customers.get(receipt.customerId ?? '');
  const purchases = purchasesOf(memory, receipt.id);
  const delivery = memory.deliveries.get(receipt.deliveryId ?? '');
  return {
    kind: 'receipt',
    id: receipt.id,
    orgId: receipt.orgId,
    orderedAt: receipt.createdAt,
    pendingSince: receipt.pendingSince,
    attempts: receipt.attempts,
    language: receipt.language,
    organisation: {
      name: organisation?.name ?? '',
      email: organisation?.email ?? '',
      language: organisation?.language ?? DEFAULT_LANGUAGE,
      timeZone: organisation?.timeZone ?? DEFAULT_TIME_ZONE,
    },
    customer: { name: customer?.name ?? '', email: customer?.email ?? '' },
    orderNumber: purchases[0]?.orderNumber ?? null,
    items: listMailed(memory, receipt).map((purchase) => describeItem(memory, purchase, receipt.sentAt)),
    delivery: delivery
      ? { id: delivery.id, receivedAt: delivery.receivedAt, traceContext: delivery.traceContext ?? null }
      : null,
  };
}

/** The purchases that the mail lists: those that are not revoked, or all of them if all are revoked. */
function listMailed(memory: Memory, { id, sentAt }: EmailRow): readonly Purchase[] {
  const purchases = purchasesOf(memory, id);
  const left = purchases.filter((purchase) => !isRevoked(memory, purchase.id));
  return sentAt !== null || left.length === 0 ? purchases : left;
}

function describeItem(memory: Memory, purchase: Purchase, sentAt: Date | null): PendingReceiptItem {
  const version = versionOf(memory, purchase);
  const files = version ? (memory.files.get(version.id) ?? []) : [];
  const named = listFilesInMail(files);
  const link = newestFirst(linksOf(memory, purchase.id)).find(
    ({ createdAt }) => sentAt === null || createdAt <= sentAt,
  );
  return {
    productName: memory.products.get(purchase.productId)?.name ?? '',
    version: version?.version ?? null,
    fileCount: files.length,
    totalSize: files.reduce((sum, { size }) => sum + size, 0),
    ...(named.length > 0 ? { fileNames: named } : {}),
    amount: purchase.amount,
    currency: purchase.currency,
    linkId: link?.id ?? '',
  };
}

function resolveDelivery(
  memory: Memory,
  delivery: DeliveryRow,
  receiptId: string,
  outcome: EmailOutcome,
): void {
  const receipts = delivery.lines.flatMap(({ purchaseId }) => {
    const purchase = purchaseId === null ? undefined : memory.purchases.get(purchaseId);
    return purchase?.receiptId ? [purchase.receiptId] : [];
  });
  // An entry that names a purchase can only be an error because of its receipt, which may have been sent after all.
  const isOpen = delivery.status === 'pending' || (delivery.status === 'error' && outcome.kind === 'sent');
  if (!isOpen || delivery.decidedAt === null || !receipts.includes(receiptId)) return;
  const statuses = receipts.map((id) => memory.emails.get(id)?.status);
  if (outcome.kind === 'sent' && statuses.includes('pending')) return;
  const isRefused = statuses.includes('refused');
  const completed: Record<EmailOutcome['kind'], { status: DeliveryStatus; reason: string | null }> = {
    sent: isRefused
      ? { status: 'error', reason: delivery.reason ?? explainRefusal() }
      : { status: 'success', reason: null },
    refused: { status: 'error', reason: 'reason' in outcome ? outcome.reason : null },
    'try-again': { status: 'pending', reason: 'reason' in outcome ? outcome.reason : null },
    postponed: { status: 'pending', reason: 'reason' in outcome ? outcome.reason : null },
  };
  memory.deliveries.set(delivery.id, { ...delivery, ...completed[outcome.kind] });
}

function describeRefusal(
  memory: Memory,
  receipt: EmailRow,
  { reason, at }: Extract<EmailOutcome, { readonly kind: 'refused' }>,
) {
  const [purchase] = purchasesOf(memory, receipt.id);
  const { connectionId = null, orderId = null, orderNumber = null } = purchase ?? {};
  const [entry] = [...memory.deliveries.values()]
    .filter((row) => orderId !== null && row.connectionId === connectionId && row.orderId === orderId)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const customerEmail = memory.customers.get(receipt.customerId ?? '')?.email ?? null;
  const details = { deliveryId: entry?.id ?? null, platform: entry?.platform ?? null };
  return alertOfRefusal(
    { orgId: receipt.orgId, id: receipt.id, connectionId, orderId },
    { ...details, orderNumber, customerEmail, reason, at },
  );
}
