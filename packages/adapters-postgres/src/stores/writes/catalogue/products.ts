import type { Product, ProductState, Products, ProductValues } from '@handover/domain';
import type { Db, Trx } from '../../../database/schema.ts';
import { isUniqueViolation } from '../../../database/store-errors.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { readVersions } from '../../reads/catalogue/product-versions.ts';
import { readProducts, toProduct } from '../../reads/catalogue/products.ts';
import { moveRevision } from './catalogue-revision.ts';
import { createPostgresVersions, markLive, nextUpdate } from './product-versions.ts';
import { createPostgresVersionFiles } from './version-files.ts';

export function createPostgresProducts(db: Db): Products {
  return {
    ...readProducts(db),
    ...readVersions(db),
    ...createPostgresVersions(db),
    ...createPostgresVersionFiles(db),

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
          await moveRevision(trx, orgId);
          if (!(await isInState(trx, orgId, productId, expected))) return giveUp('unknown-product');
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

/** The revision is locked, so nothing changes it before the transaction ends. */
async function isInState(
  trx: Trx,
  orgId: string,
  productId: string,
  { status, activeVersionId }: ProductState,
): Promise<boolean> {
  if (status === undefined && activeVersionId === undefined) return true;
  const row = await trx
    .selectFrom('products')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', productId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'draft'))
    .$if(activeVersionId !== undefined, (query) =>
      query.where('active_version_id', 'is not distinct from', activeVersionId ?? null),
    )
    .executeTakeFirst();
  return row !== undefined;
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
