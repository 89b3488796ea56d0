import { DomainError } from '../model/errors.ts';
import type { Order } from '../model/order.ts';
import type { OrderSnapshot, Plan } from '../model/plan.ts';
import type { Platforms } from '../model/platform.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Fulfilment } from '../ports/fulfilment.ts';
import { type DeliveryToDecide, decideFulfilment } from './decide-fulfilment.ts';

/** The ports for fulfilling an order. */
export interface FulfilOrderPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly fulfilment: Fulfilment;
  /** Default: the built-in ones. */
  readonly platforms?: Pick<Platforms, 'vendorOf'> | undefined;
  /** Called after each committed decision, for metrics, logs and traces. It must not throw. */
  readonly observeDecision?: ((decision: Decision) => void) | undefined;
}

/** A committed decision. */
export interface Decision {
  readonly order: Order;
  readonly delivery: DeliveryToDecide;
  readonly plan: Plan;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Each failed commit means that another one succeeded, so this many in a row are a fault. */
const TRIES = 25;

/**
 * Turns an order into customer, purchases, links and a pending receipt: load, decide, commit. A run that loses a race
 * loads and decides again, and then finds what the winner wrote. Returns the plan that was committed.
 *
 * `loading`: a snapshot that the caller began to load earlier. Like any snapshot it may be outdated, which the commit detects.
 *
 * @throws DomainError `decided-meanwhile` if another run of the same entry decided it first, `contended` if no attempt
 * could be committed; then nothing is applied.
 */
export async function fulfilOrder(
  ports: FulfilOrderPorts,
  order: Order,
  delivery: DeliveryToDecide,
  loading?: Promise<OrderSnapshot>,
): Promise<Plan> {
  const startedAt = ports.clock.now();
  for (let tried = 0; tried < TRIES; tried += 1) {
    const known = await (tried === 0 && loading ? loading : ports.fulfilment.loadSnapshot(order));
    const plan = decideFulfilment(order, known, delivery, ports.clock.now(), ports.ids, ports.platforms);
    const answer = await ports.fulfilment.commit(plan);
    if (answer === 'committed') {
      ports.observeDecision?.({ order, delivery, plan, startedAt, endedAt: ports.clock.now() });
      return plan;
    }
    if (answer === 'decided-meanwhile') {
      throw new DomainError(answer, `Entry ${delivery.id} was decided meanwhile.`);
    }
  }
  throw new DomainError(
    'contended',
    `Order ${order.orderId} could not be committed: its facts kept changing.`,
  );
}
