import type { Product } from '../model/product.ts';

/** `versionId`: what a buyer gets now. `why`: what must be done first; the draft is named before the version. */
export type Deliverability =
  | { readonly deliverable: true; readonly versionId: string }
  | { readonly deliverable: false; readonly why: 'draft' | 'no-live-version' };

/**
 * Whether a webhook may deliver this product. Archived products still deliver what was paid for. When both are wrong
 * the draft is named first: publishing is what the operator will do first.
 */
export function checkDeliverability(product: Pick<Product, 'status' | 'activeVersionId'>): Deliverability {
  if (product.status === 'draft') return { deliverable: false, why: 'draft' };
  if (product.activeVersionId === null) return { deliverable: false, why: 'no-live-version' };
  return { deliverable: true, versionId: product.activeVersionId };
}
