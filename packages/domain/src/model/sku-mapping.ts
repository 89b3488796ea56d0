import type { Platform } from './platform.ts';

/** An operator's word on what a SKU (or a vendor's id) stands for. */
export interface SkuMapping {
  /** Trimmed and case-folded: see {@link normalizeSku}. */
  readonly sku: string;
  /** Null: for all platforms. A mapping for one platform goes before one for all. */
  readonly platform: Platform | null;
  /** Null: "not ours"; such a line is neither flagged nor alerted. */
  readonly productId: string | null;
}

/** Mappings compare SKUs trimmed and without regard to case. */
export function normalizeSku(sku: string): string {
  return sku.normalize('NFKC').trim().toLowerCase();
}
