import type { DecidedDelivery, FulfilOrderPorts, Order, OrderSnapshot } from '@handover/domain';
import { fulfilOrder, isDecidedMeanwhile } from '@handover/domain';

export interface RecordedOrder {
  readonly order: Order;
  readonly deliveryId: string;
  /** What is known of it, if that is being loaded already. */
  readonly loading?: Promise<OrderSnapshot>;
}

export type FulfilmentTrouble =
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Fulfils orders that were just recorded until the deadline has passed. It never rejects: the delivery's
 * job processes what fails or is not done in time.
 */
export async function fulfilUntil(
  deadline: Promise<void>,
  ports: FulfilOrderPorts,
  orders: readonly RecordedOrder[],
): Promise<{
  /** The deliveries that were decided in time. */
  readonly decided: ReadonlyMap<string, Pick<DecidedDelivery, 'status' | 'reason'>>;
  readonly trouble: FulfilmentTrouble | null;
}> {
  const decided = new Map<string, DecidedDelivery>();
  let trouble: FulfilmentTrouble | null = null;

  await beforeDeadline(fulfilAll()).catch((error: unknown) => {
    trouble = { kind: 'failed', error };
  });
  return { decided: new Map(decided), trouble };

  async function fulfilAll(): Promise<void> {
    for (const recorded of orders) {
      if (trouble) return;
      await fulfil(recorded).catch((error) => {
        // The job decided this delivery first, so continue with the next order.
        if (!isDecidedMeanwhile(error)) throw error;
      });
    }
  }

  async function fulfil({ order, deliveryId, loading }: RecordedOrder): Promise<void> {
    const { delivery } = await fulfilOrder(ports, order, { id: deliveryId, attempts: 0 }, loading);
    decided.set(deliveryId, delivery);
  }

  function beforeDeadline(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject);
      void deadline.then(() => {
        trouble ??= { kind: 'too-slow' };
        resolve();
      });
    });
  }
}
