import type { SkuMappings } from '@handover/domain';
import type { Kysely } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import { isForeignKeyViolation } from '../store-errors.ts';
import { transact } from '../transact.ts';
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
  };
}
