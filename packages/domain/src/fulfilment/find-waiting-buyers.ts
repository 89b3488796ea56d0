import type { DeliveryLog, OpenDeliveries, OrderReader } from '../ports/fulfilment.ts';

/** The orders that are held for a product. */
export interface WaitingOrders {
  readonly count: number;
  /** Whether they are being released, so that nobody needs to deliver them. */
  readonly isReleasing: boolean;
  /** When the oldest of them was received; null if there is none. */
  readonly oldestAt: Date | null;
  /** The number of orders whose buyers are in `names`. */
  readonly named: number;
  /** The names, or else the addresses, of the buyers who have waited longest; each once. */
  readonly names: readonly string[];
}

const NAMED = 3;

/**
 * Finds the buyers who wait for a product. Their names are only in the bodies of the orders, so only a few are read. An order
 * without a body has no name.
 */
export async function findWaitingBuyers(
  ports: {
    readonly openDeliveries: Pick<OpenDeliveries, 'countHeld' | 'listHeld' | 'isReleasing'>;
    readonly deliveries: Pick<DeliveryLog, 'find'>;
    readonly orders: OrderReader;
  },
  orgId: string,
  productId: string,
): Promise<WaitingOrders> {
  const [count, first, isReleasing] = await Promise.all([
    ports.openDeliveries.countHeld(orgId, productId),
    ports.openDeliveries.listHeld(orgId, productId, NAMED),
    ports.openDeliveries.isReleasing(orgId, { kind: 'product', productId }),
  ]);
  const stored = await Promise.all(first.map(({ deliveryId }) => ports.deliveries.find(orgId, deliveryId)));
  const names = stored.flatMap((entry) => {
    const order = entry?.body ? ports.orders.read(entry) : null;
    const name = order?.customer.name ?? order?.customer.email;
    return name ? [name] : [];
  });
  return {
    count,
    isReleasing,
    oldestAt: first[0]?.receivedAt ?? null,
    named: names.length,
    names: [...new Set(names)],
  };
}
