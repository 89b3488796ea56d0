import type { Purchase } from '../model/purchase.ts';
import type { Refund } from '../model/refund.ts';
import type { Memory } from './memory.ts';
import type { RefundRow } from './rows.ts';

export function addRefunds({ refunds }: Memory, orgId: string, said: readonly Refund[]): void {
  for (const refund of said) {
    const key = keyOf(refund);
    const known = refunds.get(key);
    if (!known || refund.at < known.at) refunds.set(key, { ...refund, orgId });
  }
}

/** The first that names the order of a purchase. */
export function findRefund(
  { refunds }: Memory,
  { orgId, connectionId, orderId, orderNumber }: Purchase,
): RefundRow | undefined {
  if (connectionId === null) return undefined;
  const named = [
    { connectionId, namedBy: 'id', order: orderId },
    { connectionId, namedBy: 'number', order: orderNumber },
  ] as const;
  return named
    .flatMap(({ order, ...by }) => (order === null ? [] : (refunds.get(keyOf({ ...by, order })) ?? [])))
    .filter((refund) => refund.orgId === orgId)
    .sort((a, b) => a.at.getTime() - b.at.getTime())[0];
}

function keyOf({ connectionId, namedBy, order }: Pick<Refund, 'connectionId' | 'namedBy' | 'order'>): string {
  return `${connectionId} ${namedBy} ${order}`;
}
