import type { DeliveryListRow } from '../model/delivery.ts';
import { isDecidedMeanwhile } from '../model/errors.ts';
import type { DeliveryLog, OrderReader } from '../ports/fulfilment.ts';
import { type FulfilOrderPorts, fulfilOrder } from './fulfil-order.ts';

/** The result of delivering an entry of the log again. */
export type RedeliverResult =
  /** The entry as it now stands. */
  | { readonly kind: 'redelivered'; readonly delivery: DeliveryListRow }
  | { readonly kind: 'unknown-delivery' }
  /** It was ignored or unreadable, and still is: there is no order in it to deliver. */
  | { readonly kind: 'no-order'; readonly reason: string | null }
  /** Its body is no longer kept, so its order cannot be read again. */
  | { readonly kind: 'body-removed' };

/**
 * Processes an entry of the log again, as if it arrived now: its stored bytes are parsed again, and what is missing is
 * delivered. Earlier purchases are not changed; a receipt that was never sent is sent. Each run counts as an attempt.
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
    // Someone else ran the same entry at the same moment: then the log shows the result already.
    if (!isDecidedMeanwhile(error)) throw error;
  }
  const delivery = await ports.deliveries.show(orgId, deliveryId);
  return delivery ? { kind: 'redelivered', delivery } : { kind: 'unknown-delivery' };
}
