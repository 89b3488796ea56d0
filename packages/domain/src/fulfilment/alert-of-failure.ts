import { type Alert, alertOfEntry } from '../model/alert.ts';
import type { Order } from '../model/order.ts';
import type { DecidedDelivery, OrderSnapshot } from '../model/plan.ts';

/**
 * The alert for an order that failed as a whole: no entry of it delivered anything, and nothing is held. Null for any other
 * order.
 */
export function alertOfFailure(
  order: Order,
  known: Pick<OrderSnapshot, 'purchases'>,
  { id, status, reason, decidedAt }: DecidedDelivery,
): Alert | null {
  if (status !== 'error' || known.purchases.length > 0) return null;
  const { customer } = order;
  return alertOfEntry({ ...order, id }, 'not-delivered', {
    customerEmail: customer.email,
    reason,
    at: decidedAt,
  });
}
