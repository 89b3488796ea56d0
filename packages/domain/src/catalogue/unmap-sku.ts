import type { Platform } from '../model/platform.ts';
import { normalizeSku } from '../model/sku-mapping.ts';
import { readName } from '../model/validation.ts';
import type { SkuMappings } from '../ports/catalogue.ts';

/** Takes back what was said of a SKU, for all platforms (null) or for one. What was delivered by it stays delivered. */
export async function unmapSku(
  ports: { readonly skuMappings: SkuMappings },
  orgId: string,
  mapping: { readonly sku: string; readonly platform: Platform | null },
): Promise<'unmapped' | 'unknown-mapping'> {
  // What cannot be mapped was not.
  const sku = readName('sku', normalizeSku(mapping.sku));
  if (sku.kind === 'invalid') return 'unknown-mapping';
  const outcome = await ports.skuMappings.remove(orgId, sku.value, mapping.platform);
  return outcome === 'removed' ? 'unmapped' : 'unknown-mapping';
}
