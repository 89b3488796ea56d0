import { DomainError } from '../errors.ts';
import type { Clock, Products } from '../ports.ts';
import type { InvalidInput } from '../validation.ts';
import { readDescription, readName } from '../validation.ts';
import { readSlug } from './create-product.ts';
import type { Product, ProductStatus } from './product.ts';

/** Any subset of what may be changed. A member that is absent stays as it is. */
export interface ProductChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: ProductStatus | undefined;
  /** Null takes the product off delivery; else a `ready` version of this product. */
  readonly activeVersionId?: string | null | undefined;
}

export type UpdateProductResult =
  | { readonly kind: 'updated'; readonly product: Product }
  | { readonly kind: 'unknown-product' }
  | InvalidInput
  | { readonly kind: 'slug-taken'; readonly slug: string };

const TRIES = 10;

/** Merges the change into the row as it is now; if someone else changes the row meanwhile, merges again. */
export async function updateProduct(
  ports: { readonly clock: Clock; readonly products: Products },
  orgId: string,
  productId: string,
  change: ProductChange,
): Promise<UpdateProductResult> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const current = await ports.products.find(orgId, productId);
    if (!current) return { kind: 'unknown-product' };
    const merged = await mergeChange(ports.products, current, change);
    if (merged.kind === 'invalid') return merged;
    const product = { ...merged.value, updatedAt: laterThan(current.updatedAt, ports.clock.now()) };
    const outcome = await ports.products.save(product, current);
    if (outcome === 'saved') return { kind: 'updated', product };
    if (outcome === 'slug-taken') return { kind: 'slug-taken', slug: product.slug };
  }
  throw new DomainError('contended', 'The product kept changing while it was being updated.');
}

async function mergeChange(
  products: Products,
  current: Product,
  change: ProductChange,
): Promise<{ readonly kind: 'valid'; readonly value: Product } | InvalidInput> {
  let value = current;
  if (change.name !== undefined) {
    const name = readName('name', change.name);
    if (name.kind === 'invalid') return name;
    value = { ...value, name: name.value };
  }
  if (change.slug !== undefined) {
    const slug = readSlug(change.slug);
    if (slug.kind === 'invalid') return slug;
    value = { ...value, slug: slug.value };
  }
  if (change.description !== undefined) {
    const description = readDescription(change.description);
    if (description.kind === 'invalid') return description;
    value = { ...value, description: description.value };
  }
  if (change.status !== undefined) value = { ...value, status: change.status };
  if (change.activeVersionId !== undefined) {
    const problem = await judgeActiveVersion(products, current, change.activeVersionId);
    if (problem) return { kind: 'invalid', field: 'activeVersionId', problem };
    value = { ...value, activeVersionId: change.activeVersionId };
  }
  return { kind: 'valid', value };
}

async function judgeActiveVersion(products: Products, product: Product, versionId: string | null) {
  if (versionId === null) return null;
  const version = await products.findVersion(product.orgId, product.id, versionId);
  if (!version) return 'must be null or the id of a version of this product';
  if (version.status !== 'ready') return 'must name a version that is ready; activate it first';
  return null;
}

/** `updatedAt` tells one state of a row from the next, so it moves even within one tick of the clock. */
function laterThan(before: Date, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}
