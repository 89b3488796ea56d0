import { normalizeSlug, type Product } from '../model/product.ts';
import {
  type InvalidForm,
  type InvalidInput,
  readDescription,
  readFields,
  readName,
} from '../model/validation.ts';
import type { Products } from '../ports/catalogue.ts';
import type { Clock, Ids } from '../ports/clock.ts';

/** The form of a new product. `slug` is normalised: see {@link normalizeSlug}. */
export interface NewProduct {
  readonly name: string;
  readonly slug: string;
  readonly description?: string | null | undefined;
}

/** `slug-taken`: another product of the organisation has that normalised slug. */
export type CreateProductResult =
  | { readonly kind: 'created'; readonly product: Product }
  | InvalidForm
  | { readonly kind: 'slug-taken'; readonly slug: string };

/** Creates a product as a draft. Of two concurrent calls with one slug, the unique key lets one succeed. */
export async function createProduct(
  ports: { readonly clock: Clock; readonly ids: Ids; readonly products: Pick<Products, 'add'> },
  orgId: string,
  input: NewProduct,
): Promise<CreateProductResult> {
  const read = readFields({
    name: readName('name', input.name),
    slug: readSlug(input.slug),
    description: readDescription(input.description ?? null),
  });
  if (read.kind === 'invalid') return read;

  const now = ports.clock.now();
  const product: Product = {
    id: ports.ids.next(),
    orgId,
    ...read.value,
    status: 'draft',
    activeVersionId: null,
    createdAt: now,
    updatedAt: now,
  };
  const outcome = await ports.products.add(product);
  return outcome === 'added' ? { kind: 'created', product } : { kind: 'slug-taken', slug: product.slug };
}

export function readSlug(text: string): { readonly kind: 'valid'; readonly value: string } | InvalidInput {
  const value = normalizeSlug(text);
  if (value === '') {
    return { kind: 'invalid', field: 'slug', problem: 'must hold at least one letter (a to z) or digit' };
  }
  if (value.length > 100)
    return { kind: 'invalid', field: 'slug', problem: 'must be at most 100 characters' };
  return { kind: 'valid', value };
}
