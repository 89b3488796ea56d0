import type { SkuMapping, SkuMappings } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { inPages } from '../../../statements/in-pages.ts';

export function readSkuMappings(db: Db): Pick<SkuMappings, 'list' | 'listOf'> {
  return {
    async *list(orgId) {
      if (areIds(orgId)) yield* inPages<SkuMapping>((after, limit) => fetchPage(db, orgId, after, limit));
    },

    listOf: async (orgId, productId, limit) => {
      if (!areIds(orgId, productId)) return [];
      const rows = await db
        .selectFrom('sku_mappings')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('product_id', '=', productId)
        .orderBy(sql`sku collate "C"`)
        .orderBy(sql`platform collate "C"`)
        .limit(limit)
        .execute();
      return rows.map(({ sku, platform }) => ({
        sku,
        platform: platform === '' ? null : platform,
        productId,
      }));
    },
  };
}

async function fetchPage(
  db: Db,
  orgId: string,
  after: SkuMapping | null,
  limit: number,
): Promise<readonly SkuMapping[]> {
  const further = after
    ? sql`and (sku collate "C", platform collate "C") > (${after.sku}, ${after.platform ?? ''})`
    : sql``;
  const { rows } = await sql<SkuMapping>`
    select sku, nullif(platform, '') as platform, product_id as "productId"
    from sku_mappings
    where org_id = ${orgId} ${further}
    order by sku collate "C", platform collate "C"
    limit ${limit}
  `.execute(db);
  return rows;
}
