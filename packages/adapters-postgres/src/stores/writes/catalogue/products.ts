import { hasValues, type Product, type Products, type ProductValues } from '@handover/domain';
import type { Db, Trx } from '../../../database/schema.ts';
import { isUniqueViolation } from '../../../database/store-errors.ts';
import { runTransaction, transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { readVersions } from '../../reads/catalogue/product-versions.ts';
import { findProduct, readProducts, toProduct } from '../../reads/catalogue/products.ts';
import { lockCatalogue, moveRevision } from './catalogue-revision.ts';
import { createPostgresVersions, markLive, nextUpdate } from './product-versions.ts';
import { createPostgresVersionFiles } from './version-files.ts';

export function createPostgresProducts(db: Db): Products {
  return {
    ...readProducts(db),
    ...readVersions(db),
    ...createPostgresVersions(db),
    ...createPostgresVersionFiles(db),

    findToChange: async (orgId, productId) => {
      if (!areIds(orgId, productId)) return null;
      return runTransaction(db, async (trx) => {
        await lockCatalogue(trx, orgId);
        return findProduct(trx, orgId, productId);
      });
    },

    add: (product) =>
      transact<'added' | 'slug-taken'>(db, async (trx, giveUp) => {
        await moveRevision(trx, product.orgId);
        const added = await trx
          .insertInto('products')
          .values(toRow(product))
          .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
          .returning('id')
          .executeTakeFirst();
        return added ? 'added' : giveUp('slug-taken');
      }),

    change: async (orgId, productId, change, now, expected = {}) => {
      if (!areIds(orgId, productId, expected.activeVersionId)) return 'unknown-product';
      try {
        return await transact<Product | 'unknown-product'>(db, async (trx, giveUp) => {
          await lockCatalogue(trx, orgId);
          const current = await findProduct(trx, orgId, productId);
          if (!current || !hasValues(current, expected)) return giveUp('unknown-product');
          if (hasValues(current, change)) return current;
          await moveRevision(trx, orgId);
          const versionId = change.activeVersionId ?? null;
          if (versionId !== null) await markLive(trx, { orgId, productId, versionId, now });
          return (await changeRow(trx, orgId, productId, change, now)) ?? giveUp('unknown-product');
        });
      } catch (error) {
        if (isUniqueViolation(error)) return 'slug-taken';
        throw error;
      }
    },
  };
}

/** Updates only the changed columns, so that it does not undo concurrent changes of others. */
async function changeRow(
  trx: Trx,
  orgId: string,
  productId: string,
  { name, slug, description, status, activeVersionId }: ProductValues,
  now: Date,
): Promise<Product | null> {
  const row = await trx
    .updateTable('products')
    .set({
      ...(name !== undefined && { name }),
      ...(slug !== undefined && { slug }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(activeVersionId !== undefined && { active_version_id: activeVersionId }),
      updated_at: nextUpdate(now),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', productId)
    .returningAll()
    .executeTakeFirst();
  return row ? toProduct(row) : null;
}

function toRow(product: Product) {
  return {
    org_id: product.orgId,
    id: product.id,
    name: product.name,
    slug: product.slug,
    description: product.description,
    status: product.status,
    active_version_id: product.activeVersionId,
    created_at: product.createdAt,
    updated_at: product.updatedAt,
  };
}
