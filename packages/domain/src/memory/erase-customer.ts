import { subjectOfEntry, subjectOfReceipt } from '../model/dismissal.ts';
import { normalizeEmail } from '../model/email-address.ts';
import {
  ERASED_REASON,
  type EraseCustomerResult,
  type Erasure,
  eraseIdentity,
  isErased,
  NAMING_BUYERS,
  withoutBuyers,
  withoutBuyersIn,
  withoutQuotes,
} from '../model/erasure.ts';
import type { Customer } from '../model/purchase.ts';
import { linksOf, type Memory, moveRevision, rowsWhere } from './memory.ts';
import type { DeliveryRow, LinkRow } from './rows.ts';

/** As the port says. Nothing awaits between the checks and the changes, so all of it is applied in one step. */
export function eraseCustomer(memory: Memory, orgId: string, erasure: Erasure): EraseCustomerResult {
  const customer = memory.customers.get(erasure.customerId);
  if (customer?.orgId !== orgId) return 'unknown-customer';
  const erased = collect(memory, customer);
  if (isErased(customer.email) && !isToldOf(memory, erased)) return 'erased-before';
  const waits = findWaiting(memory, erased);
  if (waits) return waits;
  moveRevision(memory, orgId);
  revokeAll(memory, erased, erasure);
  forgetWords(memory, erased);
  forgetDismissals(memory, erased);
  forgetRequests(memory, erased);
  forgetMails(memory, erased);
  for (const one of erased.customers) memory.customers.set(one.id, { ...one, ...eraseIdentity(one) });
  memory.activity.set(erasure.entry.id, { ...erasure.entry, orgId });
  return 'erased';
}

/** Everything that tells of a buyer. */
interface Erased {
  readonly orgId: string;
  /** The buyer, and who had the purchases before an address was corrected. */
  readonly customers: readonly Customer[];
  readonly purchaseIds: ReadonlySet<string>;
  /** Links that were made for them, and whose purchase belongs to somebody who stays. */
  readonly movedLinks: readonly Pick<LinkRow, 'id' | 'purchaseId'>[];
  readonly receiptIds: ReadonlySet<string>;
  readonly deliveries: readonly DeliveryRow[];
  isAddress(email: string | null): boolean;
}

function collect(memory: Memory, customer: Customer): Erased {
  const { orgId } = customer;
  const purchases = rowsWhere(memory.purchases, { customerId: customer.id });
  const formerIds = new Set(
    purchases.flatMap(({ id }) => linksOf(memory, id)).map((link) => link.customerId),
  );
  const former = [...memory.customers.values()].filter(
    ({ id }) =>
      formerIds.has(id) && id !== customer.id && rowsWhere(memory.purchases, { customerId: id }).length === 0,
  );
  const customers = [customer, ...former];
  const customerIds = new Set<string | null>(customers.map(({ id }) => id));
  const addresses = new Set(customers.map(({ email }) => normalizeEmail(email)));
  const isAddress = (email: string | null) => email !== null && addresses.has(normalizeEmail(email));
  const purchaseIds = new Set(purchases.map(({ id }) => id));
  const orders = new Set(purchases.map(({ connectionId, orderId }) => `${connectionId} ${orderId}`));
  const deliveries = rowsWhere(memory.deliveries, { orgId });
  const events = nameOrders([
    ...purchases,
    ...deliveries.filter(({ normalizedEmail }) => isAddress(normalizedEmail)),
  ]);
  const receipts = [...memory.emails.values()].filter((email) => customerIds.has(email.customerId));
  return {
    orgId,
    customers,
    purchaseIds,
    receiptIds: new Set(receipts.map(({ id }) => id)),
    movedLinks: [...memory.links.values()].filter((link) => customerIds.has(link.customerId ?? '')),
    deliveries: deliveries.filter(
      (row) =>
        isAddress(row.normalizedEmail) ||
        orders.has(`${row.connectionId} ${row.orderId}`) ||
        (row.normalizedEmail === null && isNamed(row, events)) ||
        row.lines.some(({ purchaseId }) => purchaseId !== null && purchaseIds.has(purchaseId)),
    ),
    isAddress,
  };
}

/** Whether the shop has sent something about an order of a buyer since the buyer was erased. */
function isToldOf({ bodies }: Memory, { deliveries }: Erased): boolean {
  return deliveries.some(
    ({ normalizedEmail, bodyId }) => normalizedEmail !== null || (bodies.get(bodyId) ?? null) !== null,
  );
}

type Named = Pick<DeliveryRow, 'orderId' | 'orderNumber'> & { readonly connectionId: string | null };

/** What an event can name these orders by. */
function nameOrders(orders: readonly Named[]): ReadonlySet<string> {
  return new Set(
    orders.flatMap(({ connectionId, orderId, orderNumber }) => [
      `${connectionId} id ${orderId}`,
      `${connectionId} number ${orderNumber}`,
    ]),
  );
}

function isNamed({ connectionId, orderId, orderNumber }: Named, names: ReadonlySet<string>): boolean {
  if (orderId !== null) return names.has(`${connectionId} id ${orderId}`);
  return orderNumber !== null && names.has(`${connectionId} number ${orderNumber}`);
}

function findWaiting(
  memory: Memory,
  { orgId, purchaseIds, receiptIds, deliveries }: Erased,
): EraseCustomerResult | null {
  const isMailed = [...memory.emails.values()].some(
    ({ id, orgId: of, subject, status }) =>
      of === orgId && status === 'pending' && (receiptIds.has(id) || purchaseIds.has(subject ?? '')),
  );
  if (isMailed) return 'mail-waits';
  const bodies = new Set(deliveries.map(({ bodyId }) => bodyId));
  const isOpen = rowsWhere(memory.deliveries, { orgId }).some(
    (row) =>
      bodies.has(row.bodyId) &&
      (row.status === 'pending' || row.status === 'held' || isMappable(memory, row)),
  );
  return isOpen ? 'order-waits' : null;
}

/** Mapping a SKU of it delivers it. */
function isMappable({ bodies }: Memory, { bodyId, lines }: DeliveryRow): boolean {
  const hasSku = lines.some(({ outcome, candidate }) => outcome === 'unmatched' && candidate !== null);
  return hasSku && (bodies.get(bodyId) ?? null) !== null;
}

function revokeAll(memory: Memory, { purchaseIds }: Erased, { revocationId, entry }: Erasure): void {
  for (const link of [...purchaseIds].flatMap((id) => linksOf(memory, id)))
    if (link.revokedAt === null) memory.links.set(link.id, { ...link, revokedAt: entry.at, revocationId });
}

/** What sentences of the logs, and filters of actions that have ended, say about the buyer. */
function forgetWords(
  memory: Memory,
  { orgId, customers, purchaseIds, movedLinks, receiptIds, deliveries }: Erased,
): void {
  const linkIds = [...purchaseIds].flatMap((id) => linksOf(memory, id)).map(({ id }) => id);
  const moved = movedLinks.flatMap(({ id, purchaseId }) => [id, purchaseId]);
  const ofOrders = [...receiptIds, ...deliveries.map(({ id }) => id)];
  const subjects = new Set([...purchaseIds, ...linkIds, ...moved, ...ofOrders]);
  for (const entry of rowsWhere(memory.activity, { orgId })) {
    const isOfBuyer = subjects.has(entry.subjectId);
    const mayName = entry.subjectId === orgId && NAMING_BUYERS.some((kind) => kind === entry.kind);
    if (isOfBuyer || mayName)
      memory.activity.set(entry.id, { ...entry, summary: withoutBuyersIn(entry, isOfBuyer, customers) });
  }
  for (const [key, run] of [...memory.bulkActions])
    if (run.orgId === orgId && run.query !== null && run.endedAt !== null) {
      const query = { ...run.query, text: withoutBuyers(run.query.text, customers) };
      memory.bulkActions.set(key, { ...run, query });
    }
}

/** What people typed when they dismissed failures of the buyer's orders. */
function forgetDismissals(memory: Memory, { orgId, receiptIds, deliveries }: Erased): void {
  const subjects = new Set([...[...receiptIds].map(subjectOfReceipt), ...deliveries.map(subjectOfEntry)]);
  for (const [key, row] of [...memory.dismissals])
    if (row.orgId === orgId && subjects.has(row.subject))
      memory.dismissals.set(key, { ...row, reason: ERASED_REASON });
}

function forgetRequests(
  memory: Memory,
  { orgId, purchaseIds, movedLinks, deliveries, isAddress }: Erased,
): void {
  for (const { addedEmail: _, ...row } of deliveries) {
    const reason = withoutQuotes(row.reason);
    memory.deliveries.set(row.id, { ...row, normalizedEmail: null, reason, note: null, receivedNote: null });
    memory.bodies.set(row.bodyId, null);
  }
  for (const row of rowsWhere(memory.rejected, { orgId }))
    if (isAddress(row.order?.normalizedEmail ?? null)) memory.rejected.delete(row.id);
  const sold = new Set([...purchaseIds, ...movedLinks.map(({ purchaseId }) => purchaseId)]);
  for (const [key, row] of [...memory.idempotency])
    if (sold.has(row.sale.purchaseId)) memory.idempotency.set(key, { ...row, fingerprint: '' });
}

function forgetMails(
  memory: Memory,
  { orgId, receiptIds, purchaseIds, deliveries, isAddress }: Erased,
): void {
  const deliveryIds = new Set(deliveries.map(({ id }) => id));
  for (const [key, alert] of [...memory.alerts])
    if (
      alert.orgId === orgId &&
      (deliveryIds.has(alert.deliveryId ?? '') ||
        receiptIds.has(alert.subjectId) ||
        isAddress(alert.customerEmail))
    )
      memory.alerts.set(key, { ...alert, customerEmail: null, reason: withoutQuotes(alert.reason) ?? '' });
  for (const id of purchaseIds) {
    const purchase = memory.purchases.get(id);
    if (purchase) memory.purchases.set(id, { ...purchase, receiptId: null });
  }
  for (const id of receiptIds) memory.emails.delete(id);
}
