import type { Candidate, KnownProduct, OrderSnapshot, SkuMapping } from '@handover/domain';
import { normalizeSku, normalizeSlug } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';

interface NamedProducts {
  /** The mappings of those names, for every platform: the other two parts call it `mapping`. */
  readonly mapping: RawBuilder<unknown>;
  readonly mappings: RawBuilder<readonly SkuMapping[]>;
  /** Products that a mapping names, or that a `sku` names by its id or slug. */
  readonly products: RawBuilder<readonly KnownProduct[]>;
}

/**
 * Parts of a statement that loads everything the candidates can match; `matchLine` decides which of it they do match.
 * `besides`: a query for the ids of other products to load.
 */
export function nameProducts(
  orgId: string,
  candidates: readonly Candidate[],
  besides: RawBuilder<unknown> = sql`select null::uuid`,
): NamedProducts {
  const skus = new Set(candidates.map(({ value }) => normalizeSku(value)));
  const chosen = candidates.flatMap(({ kind, value }) => (kind === 'sku' ? [value] : []));
  const slugs = new Set(chosen.map(normalizeSlug));
  const productIds = new Set(chosen.map(normalizeSku).filter((value) => areIds(value)));
  return {
    mapping: sql`
      select sku, platform, product_id from sku_mappings
      where org_id = ${orgId} and sku = any(${[...skus]}::text[])`,
    mappings: sql`(
      select coalesce(json_agg(json_build_object(
        'sku', sku, 'platform', nullif(platform, ''), 'productId', product_id
      )), '[]')
      from mapping
    )`,
    products: sql`(
      select coalesce(json_agg(json_build_object(
        'id', id, 'name', name, 'slug', slug, 'status', status, 'activeVersionId', active_version_id
      )), '[]')
      from products
      where org_id = ${orgId} and id in (
        select id from products where org_id = ${orgId} and slug = any(${[...slugs]}::text[])
        union
        select product_id from mapping
        union
        select unnest(${[...productIds]}::uuid[])
        union
        ${besides}
      )
    )`,
  };
}

/** All of it is read at one moment. */
export async function fetchNamed(
  db: Db,
  orgId: string,
  candidates: readonly Candidate[],
): Promise<Pick<OrderSnapshot, 'mappings' | 'products'>> {
  if (candidates.length === 0) return { mappings: [], products: [] };
  const { mapping, mappings, products } = nameProducts(orgId, candidates);
  const { rows } = await sql<Pick<OrderSnapshot, 'mappings' | 'products'>>`
    with mapping as (${mapping})
    select ${mappings} as mappings, ${products} as products
  `.execute(db);
  return rows[0] ?? { mappings: [], products: [] };
}
