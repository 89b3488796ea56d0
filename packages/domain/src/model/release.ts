import type { Platform } from './platform.ts';

/** Why entries were open until now, and may be decided otherwise: every one of them is run again. */
export type Release =
  /** They were held for this product. */
  | { readonly kind: 'product'; readonly productId: string }
  /** No product was known for this SKU (normalized), on one platform, or on any (null). */
  | { readonly kind: 'sku'; readonly sku: string; readonly platform: Platform | null }
  /** The subscription had expired. */
  | { readonly kind: 'subscription' };

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
  if (kind === 'sku') return { kind, sku: sku.join(' '), platform: of === '*' ? null : of };
  if (kind === 'subscription') return { kind };
  throw new TypeError(`This names no release: ${text}`);
}
