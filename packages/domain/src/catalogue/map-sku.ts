import { type ReleasePorts, releaseUnmatched } from '../fulfilment/release.ts';
import type { Platform } from '../model/platform.ts';
import { normalizeSku, type SkuMapping } from '../model/sku-mapping.ts';
import { type InvalidInput, readName } from '../model/validation.ts';
import type { SkuMappings } from '../ports/catalogue.ts';

/** `mapping`: as stored, with the normalized SKU. `isChanged`: whether the mapping is new or different. */
export type MapSkuResult =
  | { readonly kind: 'mapped'; readonly mapping: SkuMapping; readonly isChanged: boolean }
  | InvalidInput
  | { readonly kind: 'unknown-product' }
  | { readonly kind: 'unknown-organisation' };

/**
 * Maps a SKU, on every platform or on one, to a product. With `productId` null the SKU is ignored: it is neither flagged
 * nor alerted.
 */
export async function mapSku(
  ports: { readonly skuMappings: SkuMappings },
  orgId: string,
  input: { readonly sku: string; readonly platform: Platform | null; readonly productId: string | null },
): Promise<MapSkuResult> {
  const sku = readName('sku', normalizeSku(input.sku));
  if (sku.kind === 'invalid') return sku;
  const mapping: SkuMapping = {
    sku: sku.value,
    platform: input.platform,
    productId: input.productId?.toLowerCase() ?? null,
  };
  const outcome = await ports.skuMappings.put(orgId, mapping);
  if (outcome !== 'saved' && outcome !== 'unchanged') return { kind: outcome };
  return { kind: 'mapped', mapping, isChanged: outcome === 'saved' };
}

/**
 * Maps a SKU, and releases the orders that waited for it; the caller runs both in one transaction. Once a SKU has a mapping, no
 * list shows its orders any more, so every way to map a SKU must release them.
 */
export async function mapSkuAndRelease(
  ports: ReleasePorts & { readonly skuMappings: SkuMappings },
  orgId: string,
  input: SkuMapping,
): Promise<MapSkuResult> {
  const mapped = await mapSku(ports, orgId, input);
  if (mapped.kind === 'mapped') await releaseUnmatched(ports, orgId, mapped.mapping.sku, input.platform);
  return mapped;
}

/** Removes the mapping of a SKU for all platforms (null) or for one. Earlier deliveries are not changed. */
export async function unmapSku(
  ports: { readonly skuMappings: SkuMappings },
  orgId: string,
  mapping: { readonly sku: string; readonly platform: Platform | null },
): Promise<'unmapped' | 'unknown-mapping'> {
  // A SKU that cannot be mapped has no mapping.
  const sku = readName('sku', normalizeSku(mapping.sku));
  if (sku.kind === 'invalid') return 'unknown-mapping';
  const outcome = await ports.skuMappings.remove(orgId, sku.value, mapping.platform);
  return outcome === 'removed' ? 'unmapped' : 'unknown-mapping';
}
