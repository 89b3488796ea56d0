import type { StoredDelivery } from '../model/delivery.ts';
import { isDecidedMeanwhile } from '../model/errors.ts';
import type { Job } from '../model/job.ts';
import type { Plan } from '../model/plan.ts';
import type { DeliveryLog, OrderReader } from '../ports/fulfilment.ts';
import { type FulfilOrderPorts, fulfilOrder } from './fulfil-order.ts';
import { giveUpEntry, isWorthAnotherTry, UNREADABLE_YET } from './give-up-entry.ts';

export type FulfilDeliveryResult =
  | { readonly kind: 'fulfilled'; readonly plan: Plan }
  /** This process cannot read its order; one of another version may. It is to be tried again. */
  | { readonly kind: 'unreadable-yet' }
  /** Its order cannot be read, and is not waited for any longer: it was decided as an error. */
  | { readonly kind: 'given-up'; readonly plan: Plan }
  /** What it rests on changed while it was decided: it must run once more. */
  | { readonly kind: 'changed-meanwhile' }
  /** Decided already (the request did it), or unknown. */
  | { readonly kind: 'nothing-to-do' };

/** The entry that a job is about, and how often it had been attempted when the job was queued. */
export type FulfilDeliveryJob = Omit<
  Extract<Job, { readonly kind: 'fulfil-delivery' }>,
  'kind' | 'startAfter'
>;

/** The ports for deciding a recorded order. */
export type FulfilDeliveryPorts = FulfilOrderPorts & {
  readonly deliveries: Pick<DeliveryLog, 'find' | 'explainPending' | 'show'>;
  readonly orders: OrderReader;
};

/** The job of every recorded order: completes it if the request that recorded it did not. */
export function fulfilDelivery(
  ports: FulfilDeliveryPorts,
  job: FulfilDeliveryJob,
): Promise<FulfilDeliveryResult> {
  return runEntry(ports, job, false);
}

/**
 * The job that resolves an entry after another entry of its order was delivered: the same rules decide it again, and find
 * what was bought. It sends no receipt again, because nobody requested one.
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
    // Another job for the same entry was at it at the same moment: then there is nothing left to do.
    if (!isDecidedMeanwhile(error)) throw error;
    return { kind: 'nothing-to-do' };
  }
}

/**
 * A run that decides the entry meanwhile has found an order in it after all. When its receipts complete it meanwhile, the next run
 * gives it up.
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
