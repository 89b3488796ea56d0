import type { DeliveryLog, OrderReader } from '../ports.ts';
import type { FulfilOrderPorts } from './fulfil-order.ts';
import { fulfilOrder } from './fulfil-order.ts';
import type { Job } from './job.ts';
import type { Plan } from './plan.ts';

export type FulfilDeliveryResult =
  | { readonly kind: 'fulfilled'; readonly plan: Plan }
  /** Decided already (the request did it), unknown, or without an order in it. */
  | { readonly kind: 'nothing-to-do' };

export type FulfilDeliveryJob = Omit<
  Extract<Job, { readonly kind: 'fulfil-delivery' }>,
  'kind' | 'startAfter'
>;

/** The job behind every recorded order: does what the request that recorded it did not get done. */
export async function fulfilDelivery(
  ports: FulfilOrderPorts & { readonly deliveries: DeliveryLog; readonly orders: OrderReader },
  { orgId, deliveryId, attempts }: FulfilDeliveryJob,
): Promise<FulfilDeliveryResult> {
  const delivery = await ports.deliveries.find(orgId, deliveryId);
  if (!delivery || delivery.attempts !== attempts) return { kind: 'nothing-to-do' };
  const order = ports.orders.read(delivery);
  if (!order) return { kind: 'nothing-to-do' };
  return { kind: 'fulfilled', plan: await fulfilOrder(ports, order, delivery) };
}
