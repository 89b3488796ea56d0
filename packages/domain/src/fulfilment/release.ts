import { foldSku } from '../catalogue/sku-mapping.ts';
import type { Platform } from '../orders/platform.ts';
import type { Clock, OpenDeliveries } from '../ports.ts';

export interface ReleasePorts {
  readonly clock: Clock;
  readonly openDeliveries: OpenDeliveries;
}

/**
 * Runs every entry again that is held for a product: to be called once it can be delivered. Answers with the number of
 * entries; the orders among them are each delivered once.
 */
export function releaseHeld(ports: ReleasePorts, orgId: string, productId: string): Promise<number> {
  return ports.openDeliveries.releaseHeld(orgId, productId, ports.clock.now());
}

/**
 * Runs every entry again that holds a SKU no product was known for: to be called once it is mapped, or known not to be
 * ours. Null: those of every platform.
 */
export function releaseUnmatched(
  ports: ReleasePorts,
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<number> {
  return ports.openDeliveries.releaseUnmatched(orgId, foldSku(sku), platform, ports.clock.now());
}

/** How many entries `releaseUnmatched` would run. */
export function countOpenWithSku(
  ports: Pick<ReleasePorts, 'openDeliveries'>,
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<number> {
  return ports.openDeliveries.countWithSku(orgId, foldSku(sku), platform);
}
