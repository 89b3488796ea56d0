import type { Candidate, OrderLine } from '../model/order.ts';
import type { KnownProduct, OrderSnapshot } from '../model/plan.ts';
import type { Platform } from '../model/platform.ts';
import { normalizeSlug } from '../model/product.ts';
import { normalizeSku, type SkuMapping } from '../model/sku-mapping.ts';

/** What a line names. `not-ours`: its SKU was marked so. `unmatched`: nobody has said yet what it is. */
export type LineMatch =
  | { readonly kind: 'product'; readonly product: KnownProduct }
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'unmatched' };

/**
 * Which product a line means: its candidates are asked in order, and the first that resolves wins. A candidate
 * resolves through a mapping for the order's platform, then (a `sku` only) through one for all platforms, then as the
 * id of one of our products, then through the product whose slug it normalises to. An id goes before a slug, because
 * no other product can ever take it.
 */
export function matchLine(
  line: OrderLine,
  platform: Platform,
  known: Pick<OrderSnapshot, 'mappings' | 'products'>,
): LineMatch {
  for (const candidate of line.candidates) {
    const match = resolveCandidate(candidate, platform, known);
    if (match) return match;
  }
  return { kind: 'unmatched' };
}

function resolveCandidate(
  candidate: Candidate,
  platform: Platform,
  { mappings, products }: Pick<OrderSnapshot, 'mappings' | 'products'>,
): LineMatch | null {
  const mapping = findMapping(candidate, platform, mappings);
  if (mapping) {
    if (mapping.productId === null) return { kind: 'not-ours' };
    const mapped = products.find(({ id }) => id === mapping.productId);
    return mapped ? { kind: 'product', product: mapped } : null;
  }
  if (candidate.kind === 'vendor-id') return null;
  const id = normalizeSku(candidate.value);
  const slug = normalizeSlug(candidate.value);
  const named =
    products.find((product) => product.id === id) ??
    (slug === '' ? undefined : products.find((product) => product.slug === slug));
  return named ? { kind: 'product', product: named } : null;
}

function findMapping(candidate: Candidate, platform: Platform, mappings: readonly SkuMapping[]) {
  const sku = normalizeSku(candidate.value);
  const forPlatform = mappings.find((mapping) => mapping.sku === sku && mapping.platform === platform);
  if (forPlatform || candidate.kind === 'vendor-id') return forPlatform;
  return mappings.find((mapping) => mapping.sku === sku && mapping.platform === null);
}
