import type { Platform } from '../orders/platform.ts';
import type { SkuMappings } from '../ports.ts';
import type { InvalidInput } from '../validation.ts';
import type { SkuMapping } from './sku-mapping.ts';
import { foldSku } from './sku-mapping.ts';

export type MapSkuResult =
  | { readonly kind: 'mapped'; readonly mapping: SkuMapping }
  | InvalidInput
  | { readonly kind: 'unknown-product' }
  | { readonly kind: 'unknown-organisation' };

/** Says which product a SKU stands for, on every platform or on one. */
export async function mapSku(
  ports: { readonly skuMappings: SkuMappings },
  orgId: string,
  input: { readonly sku: string; readonly platform: Platform | null; readonly productId: string },
): Promise<MapSkuResult> {
  const sku = foldSku(input.sku);
  if (sku === '' || sku.length > 200) {
    return { kind: 'invalid', field: 'sku', problem: 'must be 1 to 200 characters' };
  }
  const mapping: SkuMapping = { sku, platform: input.platform, productId: input.productId };
  const outcome = await ports.skuMappings.put(orgId, mapping);
  return outcome === 'saved' ? { kind: 'mapped', mapping } : { kind: outcome };
}
