import type { Platform } from './platform.ts';

/** A rule of an organisation: this SKU (or vendor id) delivers that product, or is ignored. */
export interface SkuMapping {
  /** Normalized: see {@link normalizeSku}. */
  readonly sku: string;
  /** Null: for all platforms. A mapping for one platform takes precedence. */
  readonly platform: Platform | null;
  /** Null: lines with this SKU are ignored. */
  readonly productId: string | null;
}

/** The form in which SKUs are compared: NFKC, trimmed, lower case. */
export function normalizeSku(sku: string): string {
  return sku.normalize('NFKC').trim().toLowerCase();
}
