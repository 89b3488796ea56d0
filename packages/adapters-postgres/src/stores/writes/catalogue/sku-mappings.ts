import type { SkuMapping, SkuMappings } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { inPages } from '../../../statements/in-pages.ts';
import { moveRevision } from './catalogue-revision.ts';

type Outcome = 'saved' | 'unknown-product' | 'unknown-organisation';

export function createPostgresSkuMappings(db: Kysely<Schema>): SkuMappings {
  return {
    put: async (orgId, { sku, platform, productId }) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      try {
        return await transact<Outcome>(db, async (trx, giveUp) => {
          if (!(await moveRevision(trx, orgId))) return giveUp('unknown-organisation');
          if (productId !== null && !areIds(productId)) return giveUp('unknown-product');
          await trx
            .insertInto('sku_mappings')
            .values({ org_id: orgId, sku, platform: platform ?? '', product_id: productId })
            .onConflict((conflict) =>
              conflict.columns(['org_id', 'sku', 'platform']).doUpdateSet({ product_id: productId }),
            )
            .execute();
          return 'saved';
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'unknown-product';
        throw error;
      }
    },

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

    remove: async (orgId, sku, platform) => {
      if (!areIds(orgId)) return 'unknown';
      return transact<'removed' | 'unknown'>(db, async (trx, giveUp) => {
        await moveRevision(trx, orgId);
        const removed = await trx
          .deleteFrom('sku_mappings')
          .where('org_id', '=', orgId)
          .where('sku', '=', sku)
          .where('platform', '=', platform ?? '')
          .returning('sku')
          .executeTakeFirst();
        return removed ? 'removed' : giveUp('unknown');
      });
    },
  };
}

async function fetchPage(
  db: Kysely<Schema>,
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
