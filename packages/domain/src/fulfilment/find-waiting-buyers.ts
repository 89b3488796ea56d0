import type { DeliveryLog, OpenDeliveries, OrderReader } from '../ports/fulfilment.ts';

/** The orders that are held for a product. */
export interface WaitingOrders {
  readonly count: number;
  /** They are being released: nobody needs to deliver them. */
  readonly isReleasing: boolean;
  /** When the one that has waited longest came in; null when none waits. */
  readonly oldestAt: Date | null;
  /** How many of them, those that have waited longest, `names` is about. */
  readonly named: number;
  /** Their buyers, as far as they are known; nobody twice. */
  readonly names: readonly string[];
}

const NAMED = 3;

/**
 * Finds the buyers who wait for a product. Their names are only in the bodies of the orders, so only a few are read; an
 * order whose body was removed has no name.
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
