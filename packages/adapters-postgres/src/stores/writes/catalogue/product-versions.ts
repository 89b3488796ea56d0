import type { Products } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { findProduct } from '../../reads/catalogue/products.ts';
import { lockCatalogue, moveRevision } from './catalogue-revision.ts';

/** Adds versions, and makes one the live version of its product. */
export function createPostgresVersions(db: Db): Pick<Products, 'addVersion' | 'activate'> {
  return {
    addVersion: async (orgId, version) => {
      const added = await db
        .insertInto('product_versions')
        .values({
          org_id: orgId,
          id: version.id,
          product_id: version.productId,
          version: version.version,
          status: version.status,
          created_at: version.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['org_id', 'product_id', 'version']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return added ? 'added' : 'label-taken';
    },

    activate: async (orgId, productId, versionId, now) =>
      areIds(orgId, productId, versionId) ? activate(db, orgId, productId, versionId, now) : 'no-files',
  };
}

/** Call this before the product refers to the version. A version that is live already keeps its time. */
export async function markLive(
  trx: Trx,
  {
    orgId,
    productId,
    versionId,
    now,
  }: Readonly<Record<'orgId' | 'productId' | 'versionId', string>> & { readonly now: Date },
): Promise<void> {
  await sql`
    update product_versions set live_since = ${now}
    where org_id = ${orgId} and product_id = ${productId} and id = ${versionId}
      and id is distinct from (select active_version_id from products where org_id = ${orgId} and id = ${productId})
  `.execute(trx);
}

function activate(
  db: Db,
  orgId: string,
  productId: string,
  versionId: string,
  now: Date,
): Promise<'activated' | 'no-files'> {
  return transact<'activated' | 'no-files'>(db, async (trx, giveUp) => {
    await lockCatalogue(trx, orgId);
    const product = await findProduct(trx, orgId, productId);
    if (product?.activeVersionId === versionId) return 'activated';
    await moveRevision(trx, orgId);
    await markLive(trx, { orgId, productId, versionId, now });
    const ready = await trx
      .updateTable('product_versions')
      .set({ status: 'ready' })
      .where('org_id', '=', orgId)
      .where('product_id', '=', productId)
      .where('id', '=', versionId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('version_files')
            .select('name')
            .where('version_files.org_id', '=', orgId)
            .whereRef('version_files.version_id', '=', 'product_versions.id'),
        ),
      )
      .returning('id')
      .executeTakeFirst();
    if (!ready) return giveUp('no-files');
    await trx
      .updateTable('products')
      .set({
        active_version_id: versionId,
        updated_at: nextUpdate(now),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', productId)
      .execute();
    return 'activated';
  });
}

/**
 * The new `updated_at` of a row: always later than before, even within one tick, so that it distinguishes two states of the
 * row. The sum has no time zone, because one with a time zone depends on the session, and Citus refuses it in an update.
 */
export function nextUpdate(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(${now}, (updated_at at time zone 'utc' + interval '1 millisecond') at time zone 'utc')`;
}
