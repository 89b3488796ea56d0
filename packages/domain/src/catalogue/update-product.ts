import type { Product, ProductStatus } from '../model/product.ts';
import {
  type InvalidForm,
  type InvalidInput,
  readDescription,
  readFields,
  readName,
} from '../model/validation.ts';
import type { ProductState, Products, ProductValues } from '../ports/catalogue.ts';
import type { Clock } from '../ports/clock.ts';
import { readSlug } from './create-product.ts';

/** New values for a product. An absent member keeps its value. */
export interface ProductChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: ProductStatus | undefined;
  /** Null: nothing is delivered for the product; else a `ready` version of this product. */
  readonly activeVersionId?: string | null | undefined;
}

/** `slug-taken`: another product of the organisation has that slug; nothing was changed. */
export type UpdateProductResult =
  | { readonly kind: 'updated'; readonly product: Product }
  | { readonly kind: 'unknown-product' }
  | (InvalidInput & { readonly problems?: InvalidForm['problems'] })
  | { readonly kind: 'slug-taken'; readonly slug: string };

/** Changes only the given members of a product. With `expected`, a product in another state counts as unknown. */
export async function updateProduct(
  ports: { readonly clock: Clock; readonly products: Pick<Products, 'change' | 'find' | 'findVersion'> },
  orgId: string,
  productId: string,
  change: ProductChange,
  expected?: ProductState,
): Promise<UpdateProductResult> {
  const read = readChange(change);
  if (read.kind === 'invalid') return read;
  const versionProblem = await checkActiveVersion(ports.products, orgId, productId, change.activeVersionId);
  if (versionProblem === 'unknown-product') return { kind: 'unknown-product' };
  if (versionProblem) return { kind: 'invalid', field: 'activeVersionId', problem: versionProblem };
  const changed = await ports.products.change(orgId, productId, read.value, ports.clock.now(), expected);
  if (changed === 'unknown-product') return { kind: 'unknown-product' };
  if (changed === 'slug-taken') return { kind: 'slug-taken', slug: read.value.slug ?? '' };
  return { kind: 'updated', product: changed };
}

function readChange(
  change: ProductChange,
): { readonly kind: 'valid'; readonly value: ProductValues } | InvalidForm {
  const { name, slug, description, status, activeVersionId } = change;
  const read = readFields({
    ...(name !== undefined && { name: readName('name', name) }),
    ...(slug !== undefined && { slug: readSlug(slug) }),
    ...(description !== undefined && { description: readDescription(description) }),
  });
  if (read.kind === 'invalid') return read;
  const value: ProductValues = {
    ...read.value,
    ...(status !== undefined && { status }),
    ...(activeVersionId !== undefined && { activeVersionId: activeVersionId?.toLowerCase() ?? null }),
  };
  return { kind: 'valid', value };
}

/** A `ready` version stays `ready`, so the result is still valid when the change is made. */
async function checkActiveVersion(
  products: Pick<Products, 'find' | 'findVersion'>,
  orgId: string,
  productId: string,
  versionId: string | null | undefined,
): Promise<string | null> {
  if (versionId === null || versionId === undefined) return null;
  const version = await products.findVersion(orgId, productId, versionId);
  if (version?.status === 'ready') return null;
  if (version) return 'must name a version that is ready; activate it first';
  const product = await products.find(orgId, productId);
  return product ? 'must be null or the id of a version of this product' : 'unknown-product';
}
