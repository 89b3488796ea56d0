import type { StoredDelivery } from '../model/delivery.ts';
import { isDecidedMeanwhile } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import type { Plan } from '../model/plan.ts';
import type { DeliveryLog, OrderReader } from '../ports/fulfilment.ts';
import { type FulfilOrderPorts, fulfilOrder } from './fulfil-order.ts';
import { giveUpEntry, isWorthAnotherTry, UNREADABLE_YET } from './give-up-entry.ts';

export type FulfilDeliveryResult =
  | { readonly kind: 'fulfilled'; readonly plan: Plan }
  /** This process cannot read its order, but one of another version may. The job must run again later. */
  | { readonly kind: 'unreadable-yet' }
  /** Its order could not be read for too long: see `giveUpEntry`. */
  | { readonly kind: 'given-up'; readonly plan: Plan }
  /** Concurrent changes prevented the commit. The job must run again at once. */
  | { readonly kind: 'changed-meanwhile' }
  /** It was decided before, by the request or another job; or it is unknown. */
  | { readonly kind: 'nothing-to-do' };

/** The entry of a job, and its attempts when the job was queued. */
export type FulfilDeliveryJob = Omit<
  Extract<Job, { readonly kind: 'fulfil-delivery' }>,
  'kind' | 'startAfter'
>;

/** The ports for deciding a recorded order. */
export type FulfilDeliveryPorts = FulfilOrderPorts & {
  readonly deliveries: Pick<DeliveryLog, 'find' | 'explainPending' | 'show'>;
  readonly orders: OrderReader;
};

/** The job of every recorded order: decides it unless the request that recorded it did. */
export function fulfilDelivery(
  ports: FulfilDeliveryPorts,
  job: FulfilDeliveryJob,
): Promise<FulfilDeliveryResult> {
  return runEntry(ports, job, false);
}

/**
 * The job that decides an entry again after another entry of its order was delivered. The same rules find the purchases. No
 * receipt is sent again, because nobody requested it.
 */
export function resolveDelivery(
  ports: FulfilDeliveryPorts,
  job: FulfilDeliveryJob,
): Promise<FulfilDeliveryResult> {
  return runEntry(ports, job, true);
}

async function runEntry(
  ports: FulfilDeliveryPorts,
  { orgId, deliveryId, attempts }: FulfilDeliveryJob,
  isResolving: boolean,
): Promise<FulfilDeliveryResult> {
  const delivery = await ports.deliveries.find(orgId, deliveryId);
  if (!delivery || delivery.attempts !== attempts) return { kind: 'nothing-to-do' };
  const order = ports.orders.read(delivery);
  if (!order) return runUnreadable(ports, delivery);
  try {
    return { kind: 'fulfilled', plan: await fulfilOrder(ports, order, { ...delivery, isResolving }) };
  } catch (error) {
    // Another run decided the same entry concurrently.
    if (!isDecidedMeanwhile(error)) throw error;
    return { kind: 'nothing-to-do' };
  }
}

/**
 * If another run decides the entry meanwhile, that run could read its order. If its receipts complete it meanwhile, the next
 * run gives it up.
 */
async function runUnreadable(
  { clock, deliveries, fulfilment }: FulfilDeliveryPorts,
  delivery: StoredDelivery,
): Promise<FulfilDeliveryResult> {
  const { orgId, id } = delivery;
  const now = clock.now();
  if (isWorthAnotherTry(delivery, now)) {
    await deliveries.explainPending(orgId, id, UNREADABLE_YET);
    return { kind: 'unreadable-yet' };
  }
  const row = await deliveries.show(orgId, id);
  const plan = giveUpEntry(delivery, row?.lines ?? [], now);
  const outcome = await fulfilment.commit(plan);
  if (outcome === 'committed') return { kind: 'given-up', plan };
  return { kind: outcome === 'decided-meanwhile' ? 'nothing-to-do' : outcome };
}
