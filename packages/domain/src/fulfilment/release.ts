import type { Platform } from '../model/platform.ts';
import type { Release } from '../model/release.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import type { Clock } from '../ports/clock.ts';
import type { OpenDeliveries } from '../ports/fulfilment.ts';

export interface ReleasePorts {
  readonly clock: Clock;
  readonly openDeliveries: Pick<OpenDeliveries, 'release'>;
}

/**
 * Releases every entry that is held for a product, to be called once the product can be delivered. Each order is
 * delivered once. However many there are, this stores only the release, and a job processes the entries. Returns false if
 * such a release was under way.
 */
export function releaseHeld(ports: ReleasePorts, orgId: string, productId: string): Promise<boolean> {
  return ports.openDeliveries.release(orgId, { kind: 'product', productId }, ports.clock.now());
}

/**
 * Releases every entry with an unmatched SKU, to be called once the SKU is mapped or ignored. `platform` null: entries of
 * every platform. Like `releaseHeld`, it stores only the release.
 */
export function releaseUnmatched(
  ports: ReleasePorts,
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<boolean> {
  return ports.openDeliveries.release(
    orgId,
    { kind: 'sku', sku: normalizeSku(sku), platform },
    ports.clock.now(),
  );
}

/** How many entries `releaseUnmatched` would run. */
export function countOpenWithSku(
  ports: { readonly openDeliveries: Pick<OpenDeliveries, 'countWithSku'> },
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<number> {
  return ports.openDeliveries.countWithSku(orgId, normalizeSku(sku), platform);
}

/** How many entries one job of a release queues: few enough for one statement, and the queue holds no more of a release. */
const PAGE = 500;

/**
 * Queues the next entries of a release. Returns `again` until the release is over: its own job is due after those that it
 * queued, so the next page follows when workers have claimed them, and the queue stays short.
 */
export async function releaseEntries(
  ports: { readonly clock: Clock; readonly openDeliveries: Pick<OpenDeliveries, 'releaseNext'> },
  { orgId, release }: { readonly orgId: string; readonly release: Release },
): Promise<'done' | { readonly again: Date }> {
  const at = ports.clock.now();
  const state = await ports.openDeliveries.releaseNext(orgId, release, { at, limit: PAGE });
  return state === 'over' ? 'done' : { again: at };
}
