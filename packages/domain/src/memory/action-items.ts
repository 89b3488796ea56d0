import type { ActionItemFacts } from '../model/action-items.ts';
import { lastFailureOf } from '../model/dismissal.ts';
import { causeOfError } from '../model/log-entry.ts';
import { MAX_WAITING } from '../overview/action-items.ts';
import type { ActionItems } from '../ports/overview.ts';
import { isEntryDismissed, isReceiptDismissed } from './dismissals.ts';
import { linksOf, type Memory, purchasesOf, rowsWhere } from './memory.ts';
import { isMapped } from './open-deliveries.ts';
import { releaseKey, unmatchedKey } from './releases.ts';
import type { DeliveryRow, EmailRow } from './rows.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_PRODUCTS = 5;

export function createInMemoryActionItems(memory: Memory): ActionItems {
  const entriesOf = (orgId: string) =>
    [...rowsWhere(memory.deliveries, { orgId })].sort((a, b) => (a.id < b.id ? 1 : -1));
  const isOf = (orgId: string) => (row: { readonly orgId: string }) => row.orgId === orgId;
  return {
    read: async (orgId, now) => {
      const entries = entriesOf(orgId).filter(({ isTest }) => !isTest);
      return {
        held: listHeld(memory, entries),
        unmatched: gatherUnmatched(memory, entries),
        refused: findRefused(memory, orgId),
        postponed: sumPostponed(memory, orgId),
        failed: findFailed(memory, entries, new Date(now.getTime() - MONTH_MS)),
        unreadable: findUnreadable(memory, entries, new Date(now.getTime() - MONTH_MS)),
        givenUpAlerts: findGivenUp(memory, orgId),
        subscriptionExpiresAt: memory.organisations.get(orgId)?.subscriptionExpiresAt ?? null,
      };
    },
    firstSteps: async (orgId) => ({
      hasPublished: [...memory.products.values()].some(
        (product) =>
          isOf(orgId)(product) && product.status === 'published' && product.activeVersionId !== null,
      ),
      hasCurrency: (memory.organisations.get(orgId)?.defaultCurrency ?? null) !== null,
      hasConnected:
        [...memory.connections.values()].some((row) => isOf(orgId)(row) && row.secrets.length > 0) ||
        [...memory.accounts.values()].some(isOf(orgId)),
      hasReceived: entriesOf(orgId).some(({ orderId }) => orderId !== null),
      hasSold: [...memory.purchases.values()].some(isOf(orgId)),
    }),
  };
}

function listHeld({ products, releases }: Memory, entries: readonly DeliveryRow[]): ActionItemFacts['held'] {
  const ofProduct = (id: string) =>
    entries.filter(({ lines }) => lines.some((line) => line.outcome === 'held' && line.productId === id));
  return [...products.values()]
    .filter(({ id, orgId }) => !releases.has(releaseKey(orgId, { kind: 'product', productId: id })))
    .flatMap(({ id, name, status, activeVersionId }) => {
      const held = ofProduct(id);
      const [newest] = held;
      if (!newest) return [];
      return {
        productId: id,
        productName: name,
        productStatus: status,
        hasLiveVersion: activeVersionId !== null,
        orders: countOrders(held),
        newestAt: newest.receivedAt,
      };
    })
    .sort((a, b) => b.orders - a.orders || (a.productId < b.productId ? -1 : 1))
    .slice(0, MAX_PRODUCTS);
}

function gatherUnmatched(memory: Memory, entries: readonly DeliveryRow[]): ActionItemFacts['unmatched'] {
  const found = new Map<string, { sku: string; entries: Set<DeliveryRow> }>();
  for (const entry of entries) {
    for (const line of entry.lines) {
      const key = unmatchedKey(line);
      if (key === null || isMapped(memory, entry, line, key)) continue;
      const named = found.get(key) ?? { sku: line.sku, entries: new Set() };
      named.entries.add(entry);
      found.set(key, named);
    }
  }
  const all = new Set([...found.values()].flatMap((named) => [...named.entries]));
  const [newest] = [...all].sort((a, b) => (a.id < b.id ? 1 : -1));
  if (!newest) return null;
  const named = [...found]
    .map(([key, { sku, entries: of }]) => ({ key, sku, orders: countOrders([...of]) }))
    .sort((a, b) => b.orders - a.orders || (a.key < b.key ? -1 : 1))
    .map(({ sku, orders }) => ({ sku, orders }));
  return {
    skus: found.size,
    orders: countOrders([...all]),
    named: named.slice(0, 2),
    newestAt: newest.receivedAt,
  };
}

function findRefused(memory: Memory, orgId: string): ActionItemFacts['refused'] {
  const refused = [...rowsWhere(memory.emails, { orgId, kind: 'receipt', status: 'refused' })]
    .filter((receipt) => !isReceiptDismissed(memory, receipt))
    .filter(({ id }) =>
      purchasesOf(memory, id).some(
        (purchase) => !memory.testPurchases.has(purchase.id) && !isRevoked(memory, purchase.id),
      ),
    )
    .sort((a, b) => Number(refusedAt(b)) - Number(refusedAt(a)) || (a.id < b.id ? 1 : -1));
  const [receipt] = refused;
  const [purchase, ...more] = receipt
    ? [...purchasesOf(memory, receipt.id)].sort(
        (a, b) => Number(isRevoked(memory, a.id)) - Number(isRevoked(memory, b.id)) || (a.id < b.id ? -1 : 1),
      )
    : [];
  const customer = purchase && memory.customers.get(purchase.customerId);
  if (!(receipt && customer)) return null;
  return {
    count: Math.min(refused.length, MAX_WAITING),
    newest: {
      purchaseId: purchase.id,
      customerName: customer.name,
      customerEmail: customer.email,
      productName: memory.products.get(purchase.productId)?.name ?? '',
      moreProducts: more.length,
      answer: receipt.lastAnswer,
      at: refusedAt(receipt),
    },
  };
}

/** Revoked purchases are left out, because their address cannot be corrected. */
function isRevoked(memory: Memory, purchaseId: string): boolean {
  return linksOf(memory, purchaseId).every(({ revokedAt }) => revokedAt !== null);
}

function refusedAt({ lastAnswerAt, createdAt }: EmailRow): Date {
  return lastAnswerAt ?? createdAt;
}

function findFailed(memory: Memory, entries: readonly DeliveryRow[], since: Date): ActionItemFacts['failed'] {
  const failed = listErrors(memory, entries, since).filter(
    (entry) =>
      entry.decidedAt !== null &&
      entry.lines.every((line) => line.purchaseId === null && unmatchedKey(line) === null),
  );
  const [newest] = failed;
  if (!newest) return null;
  return {
    count: Math.min(countOrders(failed), MAX_WAITING),
    withoutAddress: countOrders(failed.filter(lacksAddress)),
    newest: {
      deliveryId: newest.id,
      lacksAddress: lacksAddress(newest),
      platform: newest.platform,
      orderNumber: newest.orderNumber ?? newest.orderId ?? '',
      reason: newest.reason ?? '',
      at: lastFailureOf(newest),
    },
  };
}

function lacksAddress(entry: DeliveryRow): boolean {
  return causeOfError(entry) === 'no-address';
}

function findUnreadable(
  memory: Memory,
  entries: readonly DeliveryRow[],
  since: Date,
): ActionItemFacts['unreadable'] {
  const unreadable = listErrors(memory, entries, since).filter(({ decidedAt }) => decidedAt === null);
  const [newest] = unreadable;
  if (!newest) return null;
  const { id, platform, orderId, orderNumber, reason } = newest;
  return {
    count: Math.min(countOrders(unreadable), MAX_WAITING),
    newest: {
      deliveryId: id,
      platform,
      orderNumber: orderNumber ?? orderId,
      reason: reason ?? '',
      at: lastFailureOf(newest),
    },
  };
}

/**
 * Errors, the last failure first, unless somebody dismissed them, or another entry of the same order has delivered or holds
 * something.
 */
function listErrors(memory: Memory, entries: readonly DeliveryRow[], since: Date): readonly DeliveryRow[] {
  const failed = entries.filter(
    (entry) =>
      entry.status === 'error' &&
      entry.receivedAt >= since &&
      !isEntryDismissed(memory, entry) &&
      !entries.some(
        (other) =>
          entry.orderId !== null &&
          isSameOrder(other, entry) &&
          other.status !== 'error' &&
          other.status !== 'ignored',
      ),
  );
  return failed.sort((a, b) => Number(lastFailureOf(b)) - Number(lastFailureOf(a)) || (a.id < b.id ? 1 : -1));
}

function findGivenUp({ emails, activity }: Memory, orgId: string): ActionItemFacts['givenUpAlerts'] {
  const [latest] = rowsWhere(emails, { orgId, kind: 'alert' })
    .filter(({ status }) => status !== 'pending')
    .sort((a, b) => Number(b.pendingSince) - Number(a.pendingSince));
  const entry = latest?.status === 'refused' ? activity.get(latest.id) : undefined;
  return entry ? { answer: entry.summary, at: entry.at } : null;
}

function countOrders(entries: readonly DeliveryRow[]): number {
  return new Set(entries.map(({ connectionId, orderId, id }) => `${connectionId} ${orderId ?? id}`)).size;
}

function isSameOrder(a: DeliveryRow, b: DeliveryRow): boolean {
  return a.connectionId === b.connectionId && a.orderId === b.orderId;
}

function sumPostponed({ emails }: Memory, orgId: string): ActionItemFacts['postponed'] {
  const waiting = rowsWhere(emails, { orgId, kind: 'receipt', status: 'pending' }).filter(
    ({ postponed }) => postponed,
  );
  const [first, ...others] = waiting.map(({ nextTryAt }) => nextTryAt.getTime()).sort((a, b) => a - b);
  if (first === undefined) return null;
  const at = Math.max(...waiting.map(({ createdAt }) => createdAt.getTime()));
  const count = Math.min(1 + others.length, MAX_WAITING);
  return { count, at: new Date(at), until: new Date(first) };
}
