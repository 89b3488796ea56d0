import { releaseHeld } from '../fulfilment/release.ts';
import { checkDeliverability, type Product } from '../model/product.ts';
import type { Products } from '../ports/catalogue.ts';
import type { Clock } from '../ports/clock.ts';
import type { OpenDeliveries } from '../ports/fulfilment.ts';
import { type ActivateVersionResult, activateVersion } from './prepare-version.ts';
import { updateProduct } from './update-product.ts';

/**
 * `orders`: how many were held for the product shortly before, and are released now. `isNew`: false if the product was
 * published before and a release of its orders was under way, such as that of a concurrent call.
 */
export type PublishAndDeliverResult =
  | {
      readonly kind: 'published';
      readonly product: Product;
      readonly orders: number;
      readonly isNew: boolean;
    }
  /** The product has no version that could be delivered. */
  | { readonly kind: 'no-live-version' }
  | { readonly kind: 'unknown-product' };

/**
 * Publishes a product and releases every order that is held for it. An archived product stays archived, because it is delivered
 * as well. A second call only releases orders that still wait.
 */
export async function publishAndDeliver(
  ports: {
    readonly clock: Clock;
    readonly products: Pick<Products, 'change' | 'find' | 'findToChange' | 'findVersion'>;
    readonly openDeliveries: Pick<OpenDeliveries, 'countHeld' | 'release'>;
  },
  orgId: string,
  productId: string,
): Promise<PublishAndDeliverResult> {
  const product = await ports.products.find(orgId, productId);
  if (!product) return { kind: 'unknown-product' };
  if (product.activeVersionId === null) return { kind: 'no-live-version' };
  // Count first: while the catalogue is locked, orders of the organisation wait.
  const orders = await ports.openDeliveries.countHeld(orgId, productId);
  const published =
    product.status === 'draft'
      ? await publishDraft(ports, orgId, productId)
      : { kind: 'updated' as const, product, isNew: false };
  if (published.kind !== 'updated') return { kind: 'unknown-product' };
  // The active version may have been removed concurrently: then the orders would be held again.
  if (!checkDeliverability(published.product).deliverable) return { kind: 'no-live-version' };
  const isFirst = await releaseHeld(ports, orgId, productId);
  return {
    kind: 'published',
    product: published.product,
    orders,
    isNew: published.isNew || (isFirst && orders > 0),
  };
}

/** `isNew`: false if a concurrent call was first. */
async function publishDraft(
  ports: {
    readonly clock: Clock;
    readonly products: Pick<Products, 'change' | 'find' | 'findToChange' | 'findVersion'>;
  },
  orgId: string,
  productId: string,
) {
  const current = await ports.products.findToChange(orgId, productId);
  if (current && current.status !== 'draft') {
    return { kind: 'updated' as const, product: current, isNew: false };
  }
  return { ...(await updateProduct(ports, orgId, productId, { status: 'published' })), isNew: true };
}

/**
 * Makes a version live, and publishes the product if it is a draft. An archived product stays archived. Run it in one
 * transaction: a crash in between would leave a live version of a draft, which delivers nothing.
 */
export async function publishVersion(
  ports: { readonly clock: Clock; readonly products: Products },
  orgId: string,
  productId: string,
  versionId: string,
): Promise<ActivateVersionResult> {
  const activated = await activateVersion(ports, orgId, productId, versionId);
  if (activated.kind !== 'activated' || activated.product.status !== 'draft') return activated;
  const updated = await updateProduct(ports, orgId, productId, { status: 'published' });
  return updated.kind === 'updated'
    ? { ...activated, product: updated.product }
    : { kind: 'unknown-version' };
}
