import { type AlertSubjectState, evaluateAlerts } from '../fulfilment/collected-alert.ts';
import { type Dismissal, subjectOfReceipt, subjectOfRejected } from '../model/dismissal.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import { isEntryDismissed, isEntryOfNoConcern, isReceiptOfNoConcern } from './dismissals.ts';
import { type Memory, purchasesOf, rowsWhere } from './memory.ts';
import type { AlertRow } from './rows.ts';

/** Divides the due alerts of a mail that is being closed: those that it reports, with their current state, and the others. */
export function evaluateCollected(
  memory: Memory,
  due: readonly AlertRow[],
): Readonly<Record<'told' | 'dropped', readonly AlertRow[]>> {
  const [first] = due;
  const ofOrg = ({ orgId }: { readonly orgId: string }) => orgId === first?.orgId;
  const known = {
    mappings: [...memory.mappings.values()].filter(ofOrg),
    products: [...memory.products.values()].filter(ofOrg),
  };
  const evaluated = due.map((row) => {
    const { about, cause, deliveryId, platform, orderNumber, customerEmail, reason, at } = row;
    const details = { deliveryId, platform, orderNumber, customerEmail, reason, at };
    return { about, cause, details, now: describeNow(memory, row), row };
  });
  const rowOf = ({ details, ...alert }: (typeof evaluated)[number]): AlertRow => ({
    ...alert.row,
    ...details,
  });
  const { told, dropped } = evaluateAlerts(evaluated, known);
  return { told: told.map(rowOf), dropped: dropped.map(rowOf) };
}

function describeNow(memory: Memory, row: AlertRow): AlertSubjectState {
  const { orgId, cause, deliveryId, platform, subjectId } = row;
  const entry = deliveryId === null ? undefined : memory.deliveries.get(deliveryId);
  if (cause === 'rejected') {
    const dismissal = memory.dismissals.get(`${orgId} rejecting ${platform}`);
    const isKept = listRejected(memory, row).some(({ receivedAt }) => !covers(dismissal, receivedAt));
    return { kind: 'rejected', isKept };
  }
  if (cause === 'unreadable') {
    const isUnread = entry?.decidedAt === null && !isEntryOfNoConcern(memory, entry);
    const others = listUnread(memory, row).filter((other) => !isEntryOfNoConcern(memory, other));
    const unread = isUnread ? entry : others[0];
    return { kind: 'body', unread: unread ? { deliveryId: unread.id, reason: unread.reason } : null };
  }
  const { connectionId = '', orderId = null } = entry ?? {};
  const sold = rowsWhere(memory.purchases, { orgId, connectionId, orderId });
  if (cause === 'receipt-refused') {
    const bought = entry ? sold : purchasesOf(memory, subjectId);
    const receipts = bought.map(({ receiptId }) => receiptId && memory.emails.get(receiptId));
    return {
      kind: 'receipt',
      isRefused: receipts.some(
        (receipt) => receipt && receipt.status === 'refused' && !isReceiptOfNoConcern(memory, receipt),
      ),
    };
  }
  const entries = [...rowsWhere(memory.deliveries, { orgId, connectionId, orderId })]
    .filter((row) => !isEntryOfNoConcern(memory, row))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, platform, status, reason, lines }) => ({ deliveryId: id, platform, status, reason, lines }));
  return { kind: 'order', isSold: sold.length > 0, entries };
}

/** Whether nothing is left of what an alert of a connection or platform is about, except for what raises it again. */
export function isOver(memory: Memory, told: AlertRow, again: AlertRow): boolean {
  if (told.cause === 'rejected') {
    return listRejected(memory, told).every(({ id }) => id === again.subjectId);
  }
  // Others can have come together with it.
  return (
    told.about.startsWith('unreadable') && listUnread(memory, told).every(({ id }) => id >= again.subjectId)
  );
}

/** Whether somebody dismissed the subject of the alert since it was raised, alone or with others. */
export function wasDismissed({ dismissals }: Memory, told: AlertRow, again: AlertRow): boolean {
  return listSubjects(told, again).some((subject) =>
    covers(dismissals.get(`${told.orgId} ${subject}`), told.at),
  );
}

/** The subjects of its dismissals. A later receipt may have replaced the one of the alert. */
function listSubjects(told: AlertRow, again: AlertRow): readonly string[] {
  const { about, cause, platform } = told;
  switch (cause) {
    case 'receipt-refused':
      return ['refused', ...[told, again].map(({ subjectId }) => subjectOfReceipt(subjectId))];
    case 'not-delivered':
      return ['failed', about];
    case 'unreadable':
      return ['unreadable', about];
    case 'rejected':
      return [`rejecting ${platform}`];
  }
}

function covers(dismissal: Dismissal | undefined, at: Date): boolean {
  return dismissal !== undefined && dismissal.seenAt >= at;
}

/** The unreadable entries of its connection that nobody dismissed, oldest first, from the entry of the alert on. */
function listUnread(memory: Memory, { orgId, deliveryId }: AlertRow) {
  const entry = deliveryId === null ? undefined : memory.deliveries.get(deliveryId);
  if (entry?.orderId !== null) return [];
  return [...memory.deliveries.values()]
    .filter((other) => other.orgId === orgId && other.connectionId === entry.connectionId)
    .filter((other) => other.orderId === null && other.status === 'error' && other.decidedAt === null)
    .filter((other) => other.id >= entry.id && !isEntryDismissed(memory, other))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Only genuine ones: anybody can send the others, which must not be a reason for the alert. */
function listRejected(memory: Memory, { orgId, platform, at }: AlertRow) {
  return [...memory.rejected.values()].filter(
    (row) =>
      row.orgId === orgId &&
      row.platform === platform &&
      row.isGenuine &&
      row.receivedAt >= at &&
      isNeeded(memory, row),
  );
}

/** Whether it was not dismissed, and no later request with its order and address was accepted. */
export function isNeeded(memory: Memory, rejected: RejectedDelivery): boolean {
  return !isRejectedDismissed(memory, rejected) && isNotAccepted(memory, rejected);
}

export function isRejectedDismissed(
  { dismissals }: Memory,
  { orgId, id }: Pick<RejectedDelivery, 'orgId' | 'id'>,
): boolean {
  return dismissals.has(`${orgId} ${subjectOfRejected(id)}`);
}

export function isNotAccepted(
  { deliveries }: Memory,
  { orgId, platform, receivedAt, order }: RejectedDelivery,
): boolean {
  return ![...deliveries.values()].some(
    (entry) =>
      entry.orgId === orgId &&
      entry.platform === platform &&
      entry.orderId === order?.orderId &&
      entry.normalizedEmail === order.normalizedEmail &&
      entry.receivedAt >= receivedAt &&
      entry.status !== 'error' &&
      entry.status !== 'ignored',
  );
}
