import { isPlatform, type Platform } from '../model/platform.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import type { OpenDeliveries } from '../ports/fulfilment.ts';
import type { Clock } from '../ports/stores.ts';

/** Why entries were open until now, and may be decided otherwise: every one of them is run again. */
export type Release =
  /** They were held for this product. */
  | { readonly kind: 'product'; readonly productId: string }
  /** No product was known for this SKU (normalized), on one platform, or on any (null). */
  | { readonly kind: 'sku'; readonly sku: string; readonly platform: Platform | null }
  /** The subscription had expired. */
  | { readonly kind: 'subscription' };

export interface ReleasePorts {
  readonly clock: Clock;
  readonly openDeliveries: OpenDeliveries;
}

/**
 * Runs every entry again that is held for a product: to be called once it can be delivered. The orders among them are each
 * delivered once. However many there are, this writes down only that they are to be released.
 */
export function releaseHeld(ports: ReleasePorts, orgId: string, productId: string): Promise<void> {
  return ports.openDeliveries.release(orgId, { kind: 'product', productId }, ports.clock.now());
}

/**
 * Runs every entry again that holds a SKU no product was known for: to be called once it is mapped, or known not to be
 * ours. Null: those of every platform. Like `releaseHeld`, it only writes that down.
 */
export function releaseUnmatched(
  ports: ReleasePorts,
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<void> {
  return ports.openDeliveries.release(
    orgId,
    { kind: 'sku', sku: normalizeSku(sku), platform },
    ports.clock.now(),
  );
}

/** How many entries `releaseUnmatched` would run. */
export function countOpenWithSku(
  ports: Pick<ReleasePorts, 'openDeliveries'>,
  orgId: string,
  sku: string,
  platform: Platform | null,
): Promise<number> {
  return ports.openDeliveries.countWithSku(orgId, normalizeSku(sku), platform);
}

/** Few enough for a statement, and for the queue: no more jobs of a release wait at once. */
const PAGE = 500;

/**
 * Queues the next entries of a release. Answers `again` while it is not over: its own job waits behind those that it queued, so
 * the next page follows when they have been taken, and the queue stays short.
 */
export async function releaseEntries(
  ports: ReleasePorts,
  { orgId, release }: { readonly orgId: string; readonly release: Release },
): Promise<'done' | { readonly again: Date }> {
  const at = ports.clock.now();
  const state = await ports.openDeliveries.releaseNext(orgId, release, { at, limit: PAGE });
  return state === 'over' ? 'done' : { again: at };
}

/** One text for each release, which {@link parseRelease} reads. */
export function formatRelease(release: Release): string {
  switch (release.kind) {
    case 'product':
      return `product ${release.productId.toLowerCase()}`;
    case 'sku':
      return `sku ${release.platform ?? '*'} ${release.sku}`;
    case 'subscription':
      return 'subscription';
  }
}

/** @throws TypeError for a text that {@link formatRelease} did not make. */
export function parseRelease(text: string): Release {
  const [kind, of = '', ...sku] = text.split(' ');
  if (kind === 'product') return { kind, productId: of };
  if (kind === 'sku') return { kind, sku: sku.join(' '), platform: isPlatform(of) ? of : null };
  if (kind === 'subscription') return { kind };
  throw new TypeError(`This names no release: ${text}`);
}
