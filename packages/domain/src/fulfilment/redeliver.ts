import type { DeliveryListRow } from '../model/delivery.ts';
import { isDecidedMeanwhile } from '../model/errors.ts';
import type { DeliveryLog, OrderReader } from '../ports/fulfilment.ts';
import { type FulfilOrderPorts, fulfilOrder } from './fulfil-order.ts';

/** The result of delivering an entry of the log again. */
export type RedeliverResult =
  /** `delivery`: the entry after the run. */
  | { readonly kind: 'redelivered'; readonly delivery: DeliveryListRow }
  | { readonly kind: 'unknown-delivery' }
  /** The entry has no order, for that reason: it was ignored or unreadable, and still is. */
  | { readonly kind: 'no-order'; readonly reason: string | null }
  /** Its body was removed, so its order cannot be read again. */
  | { readonly kind: 'body-removed' };

/**
 * Runs an entry of the log again, as if it were received now: its stored body is parsed again, and missing products are
 * delivered. Earlier purchases are not changed. A receipt that was never sent is sent. Each run counts as an attempt.
 */
export async function redeliver(
  ports: FulfilOrderPorts & {
    readonly deliveries: Pick<DeliveryLog, 'find' | 'show'>;
    readonly orders: OrderReader;
  },
  orgId: string,
  deliveryId: string,
): Promise<RedeliverResult> {
  const stored = await ports.deliveries.find(orgId, deliveryId);
  if (!stored) return { kind: 'unknown-delivery' };
  if (!stored.body) return { kind: 'body-removed' };
  const order = ports.orders.read(stored);
  if (!order) return { kind: 'no-order', reason: stored.reason };
  try {
    await fulfilOrder(ports, order, stored);
  } catch (error) {
    // A concurrent run decided the entry: the log shows its result.
    if (!isDecidedMeanwhile(error)) throw error;
  }
  const delivery = await ports.deliveries.show(orgId, deliveryId);
  return delivery ? { kind: 'redelivered', delivery } : { kind: 'unknown-delivery' };
}
