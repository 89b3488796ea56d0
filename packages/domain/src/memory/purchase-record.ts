import type { ActivityEntry } from '../model/activity.ts';
import { isErased } from '../model/erasure.ts';
import type { DeleteTestPurchaseResult, FoundPurchase, Purchase } from '../model/purchase.ts';
import {
  type PurchaseDelivery,
  type PurchaseEvent,
  type PurchaseReceipt,
  type PurchaseRecord,
  RECORD_LIMIT,
} from '../model/purchase-record.ts';
import {
  describeVersion,
  linksOf,
  type Memory,
  moveRevision,
  newestFirst,
  newestLinkOf,
  purchasesOf,
  rowsWhere,
} from './memory.ts';
import { findRefundBy } from './refunds.ts';
import type { EmailRow, LinkRow } from './rows.ts';
import { describeProgress } from './session-lists.ts';

export function showPurchase(memory: Memory, purchase: Purchase, found: FoundPurchase): PurchaseRecord {
  const { receiptId } = purchase;
  const links = newestFirst(linksOf(memory, purchase.id)).slice(0, RECORD_LIMIT);
  const linkIds = new Set(links.map(({ id }) => id));
  const receipt = receiptId === null ? undefined : memory.emails.get(receiptId);
  return {
    ...found,
    version: describeVersion(memory, purchase),
    purchasesOfBuyer: rowsWhere(memory.purchases, { customerId: purchase.customerId }).filter(
      ({ id }) => !memory.testPurchases.has(id),
    ).length,
    othersOfOrder: listOthersOfOrder(memory, purchase),
    deliveries: listDeliveries(memory, purchase.id),
    laterEvents: listLaterEvents(memory, purchase),
    receipt: receipt ? describeReceipt(receipt, linksOf(memory, purchase.id)) : null,
    links: links.map(describeLink),
    sessions: [...memory.sessions.values()]
      .filter(({ linkId }) => linkIds.has(linkId))
      .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
      .slice(-RECORD_LIMIT)
      .map((session) => ({ ...describeProgress(session), client: session.client })),
    activity: [...rowsWhere(memory.activity, { orgId: purchase.orgId, subjectId: purchase.id })]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(-RECORD_LIMIT)
      .map(({ orgId: _org, ...entry }) => entry),
  };
}

function listOthersOfOrder(
  memory: Memory,
  { id, orgId, connectionId, orderId }: Purchase,
): PurchaseRecord['othersOfOrder'] {
  if (connectionId === null || orderId === null) return [];
  return rowsWhere(memory.purchases, { orgId, connectionId, orderId })
    .filter((other) => other.id !== id)
    .map((other) => ({
      id: other.id,
      productName: memory.products.get(other.productId)?.name ?? '',
      revokedAt: newestLinkOf(memory, other.id)?.revokedAt ?? null,
    }))
    .sort((a, b) => (`${a.productName} ${a.id}` < `${b.productName} ${b.id}` ? -1 : 1))
    .slice(0, RECORD_LIMIT);
}

function describeLink(link: LinkRow): PurchaseRecord['links'][number] {
  const {
    orgId: _org,
    purchaseId: _purchase,
    revocationId: _action,
    customerId: _customer,
    ...described
  } = link;
  return described;
}

function listDeliveries({ deliveries }: Memory, purchaseId: string): readonly PurchaseDelivery[] {
  return [...deliveries.values()]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, receivedAt, status, decidedAt, lines }) => {
      const line = lines.find((one) => one.purchaseId === purchaseId);
      if (!line) return [];
      const { sku, candidate, outcome } = line;
      return [{ id, receivedAt, status, decidedAt, sku, candidate, outcome }];
    })
    .slice(0, RECORD_LIMIT);
}

function listLaterEvents(memory: Memory, purchase: Purchase): readonly PurchaseEvent[] {
  const { orgId, connectionId, orderId, orderNumber: order, createdAt } = purchase;
  if (connectionId === null || orderId === null) return [];
  const { deliveries } = memory;
  const refund = findRefundBy(memory, { orgId, connectionId, namedBy: 'number', order });
  const byNumber = deliveries.get(refund?.deliveryId ?? '');
  const ofOrder = [
    ...rowsWhere(deliveries, { orgId, connectionId, orderId }),
    ...(byNumber && byNumber.orderId === null ? [byNumber] : []),
  ];
  const placed = ofOrder.filter(({ status }) => status !== 'ignored').map(({ receivedAt }) => receivedAt);
  const [since = createdAt] = [createdAt, ...placed].sort((a, b) => a.getTime() - b.getTime());
  return ofOrder
    .filter(({ status, receivedAt }) => status === 'ignored' && receivedAt > since)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(-RECORD_LIMIT)
    .map(({ id, receivedAt, reason }) => ({ deliveryId: id, receivedAt, reason: reason ?? '' }));
}

function describeReceipt(row: EmailRow, links: readonly LinkRow[]): PurchaseReceipt {
  const { id, status, attempts, postponed, lastAnswer, lastAnswerAt, nextTryAt, sentAt, sentContent } = row;
  const leavesOut =
    sentContent != null && !sentContent.items.some(({ linkId }) => links.some((link) => link.id === linkId));
  return { id, status, attempts, postponed, lastAnswer, lastAnswerAt, nextTryAt, sentAt, leavesOut };
}

export function revokeLinks(
  memory: Memory,
  orgId: string,
  entry: ActivityEntry,
  revocationId: string,
): boolean {
  const links = linksOfPurchase(memory, orgId, entry.subjectId);
  if (links[0]?.revokedAt !== null) return false;
  for (const link of links)
    if (link.revokedAt === null) memory.links.set(link.id, { ...link, revokedAt: entry.at, revocationId });
  memory.activity.set(entry.id, { ...entry, orgId });
  return true;
}

/** Restores only links with the same revocation as the newest one: those that ended earlier stay revoked. */
export function restoreLinks(
  memory: Memory,
  orgId: string,
  entry: ActivityEntry,
  revocationId: string | null,
): boolean {
  const links = linksOfPurchase(memory, orgId, entry.subjectId);
  const [newest] = links;
  if (!newest?.revokedAt) return false;
  if (revocationId !== null && newest.revocationId !== revocationId) return false;
  const buyer = memory.customers.get(memory.purchases.get(entry.subjectId)?.customerId ?? '');
  if (buyer && isErased(buyer.email)) return false;
  for (const link of links)
    if (wasRevokedWith(link, newest))
      memory.links.set(link.id, { ...link, revokedAt: null, revocationId: null });
  memory.activity.set(entry.id, { ...entry, orgId });
  return true;
}

/** Compares time and id: two actions can happen in one millisecond, and revocations of older versions have no id. */
export function wasRevokedWith(link: LinkRow, newest: LinkRow): boolean {
  return (
    newest.revokedAt !== null &&
    link.revokedAt?.getTime() === newest.revokedAt.getTime() &&
    link.revocationId === newest.revocationId
  );
}

function linksOfPurchase(memory: Memory, orgId: string, purchaseId: string) {
  return memory.purchases.get(purchaseId)?.orgId === orgId ? newestFirst(linksOf(memory, purchaseId)) : [];
}

export function deleteTest(
  memory: Memory,
  orgId: string,
  purchaseId: string,
  entry: ActivityEntry,
): DeleteTestPurchaseResult {
  const purchase = memory.purchases.get(purchaseId);
  if (purchase?.orgId !== orgId) return 'unknown-purchase';
  if (!memory.testPurchases.delete(purchaseId)) return 'not-a-test';
  moveRevision(memory, orgId);
  const linkIds = new Set(linksOf(memory, purchaseId).map(({ id }) => id));
  for (const { id, linkId } of [...memory.sessions.values()])
    if (linkIds.has(linkId)) memory.sessions.delete(id);
  for (const id of linkIds) memory.links.delete(id);
  for (const [key, alias] of [...memory.purchaseAliases])
    if (alias.purchaseId === purchaseId) memory.purchaseAliases.delete(key);
  for (const row of [...memory.deliveries.values()]) {
    const lines = row.lines.map((line) =>
      line.purchaseId === purchaseId ? { ...line, purchaseId: null } : line,
    );
    memory.deliveries.set(row.id, { ...row, lines });
  }
  memory.purchases.delete(purchaseId);
  const { receiptId } = purchase;
  if (receiptId !== null && purchasesOf(memory, receiptId).length === 0) memory.emails.delete(receiptId);
  memory.activity.set(entry.id, { ...entry, orgId });
  return 'deleted';
}
