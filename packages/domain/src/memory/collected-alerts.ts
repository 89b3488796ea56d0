import { type AlertedNow, evaluateAlerts } from '../fulfilment/collected-alert.ts';
import { type Memory, purchasesOf } from './memory.ts';
import type { AlertRow } from './rows.ts';

/** What becomes of the due alerts of a mail that is closed; those that are told say what is so by now. */
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

function describeNow(memory: Memory, { orgId, cause, deliveryId, subjectId }: AlertRow): AlertedNow {
  const entry = deliveryId === null ? undefined : memory.deliveries.get(deliveryId);
  if (cause === 'unreadable')
    return { kind: 'body', isRead: entry !== undefined && entry.decidedAt !== null };
  const sold = [...memory.purchases.values()].filter(
    (row) =>
      row.orgId === orgId && row.connectionId === entry?.connectionId && row.orderId === entry?.orderId,
  );
  if (cause === 'receipt-refused') {
    const bought = entry ? sold : purchasesOf(memory, subjectId);
    const receipts = bought.map(({ receiptId }) => receiptId && memory.emails.get(receiptId));
    return {
      kind: 'receipt',
      isRefused: receipts.some((receipt) => receipt && receipt.status === 'refused'),
    };
  }
  const entries = [...memory.deliveries.values()]
    .filter((row) => row.orgId === orgId && row.connectionId === entry?.connectionId)
    .filter((row) => row.orderId === entry?.orderId)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, platform, status, reason, lines }) => ({ deliveryId: id, platform, status, reason, lines }));
  return { kind: 'order', isSold: sold.length > 0, entries };
}
