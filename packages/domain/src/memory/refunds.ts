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

/** The earliest refund of the order of a purchase or an entry. */
export function findRefund(
  memory: Memory,
  {
    orgId,
    connectionId,
    orderId,
    orderNumber,
  }: Pick<Purchase, 'orgId' | 'connectionId' | 'orderId' | 'orderNumber'>,
): RefundRow | undefined {
  return [findBy('id', orderId), findBy('number', orderNumber)]
    .flatMap((refund) => refund ?? [])
    .sort((a, b) => a.at.getTime() - b.at.getTime())[0];

  function findBy(namedBy: Refund['namedBy'], order: string | null): RefundRow | undefined {
    return findRefundBy(memory, { orgId, connectionId, namedBy, order });
  }
}

/** The earliest refund that names an order in this way. */
export function findRefundBy(
  { refunds }: Memory,
  named: {
    readonly orgId: string;
    readonly connectionId: string | null;
    readonly namedBy: Refund['namedBy'];
    readonly order: string | null;
  },
): RefundRow | undefined {
  const { orgId, connectionId, namedBy, order } = named;
  if (connectionId === null || order === null) return undefined;
  const found = refunds.get(keyOf({ connectionId, namedBy, order }));
  return found?.orgId === orgId ? found : undefined;
}

function keyOf({ connectionId, namedBy, order }: Pick<Refund, 'connectionId' | 'namedBy' | 'order'>): string {
  return `${connectionId} ${namedBy} ${order}`;
}
