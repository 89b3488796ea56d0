import type { SkuMappings } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { isForeignKeyViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { readSkuMappings } from '../../reads/catalogue/sku-mappings.ts';
import { moveRevision } from './catalogue-revision.ts';

type Outcome = 'saved' | 'unchanged' | 'unknown-product' | 'unknown-organisation';

export function createPostgresSkuMappings(db: Db): SkuMappings {
  return {
    ...readSkuMappings(db),

    put: async (orgId, { sku, platform, productId }) => {
      if (!areIds(orgId)) return 'unknown-organisation';
      try {
        return await transact<Outcome>(db, async (trx, giveUp) => {
          if (!(await moveRevision(trx, orgId))) return giveUp('unknown-organisation');
          if (!areIds(productId)) return giveUp('unknown-product');
          const written = await trx
            .insertInto('sku_mappings')
            .values({ org_id: orgId, sku, platform: platform ?? '', product_id: productId })
            .onConflict((conflict) =>
              conflict
                .columns(['org_id', 'sku', 'platform'])
                .doUpdateSet({ product_id: productId })
                .where('sku_mappings.product_id', 'is distinct from', productId),
            )
            .returning('sku')
            .executeTakeFirst();
          return written ? 'saved' : 'unchanged';
        });
      } catch (error) {
        if (isForeignKeyViolation(error)) return 'unknown-product';
        throw error;
      }
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
