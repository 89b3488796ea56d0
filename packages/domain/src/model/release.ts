import type { Platform } from './platform.ts';

/** Which open entries are run again, because their cause is gone. */
export type Release =
  /** Entries that are held for this product. */
  | { readonly kind: 'product'; readonly productId: string }
  /** Entries in which this SKU (normalized) is unmatched, of one platform, or of all (null). */
  | { readonly kind: 'sku'; readonly sku: string; readonly platform: Platform | null }
  /** Entries that are held because the subscription had expired. */
  | { readonly kind: 'subscription' };

/** A unique text for each release, which {@link parseRelease} reads. */
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
  if (kind === 'sku') return { kind, sku: sku.join(' '), platform: of === '*' ? null : of };
  if (kind === 'subscription') return { kind };
  throw new TypeError(`This names no release: ${text}`);
}
