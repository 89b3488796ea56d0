import type { Product, ProductListRow, Products } from '@handover/domain';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { areIds } from '../ids.ts';
import type { Mark } from '../in-pages.ts';
import { inPages } from '../in-pages.ts';
import type { Schema } from '../schema.ts';
import { isUniqueViolation } from '../store-errors.ts';
import { transact } from '../transact.ts';
import { moveRevision } from './catalogue-revision.ts';
import { createPostgresVersions } from './product-versions.ts';

export function createPostgresProducts(db: Kysely<Schema>): Products {
  return {
    ...createPostgresVersions(db),

    async *list(orgId) {
      if (!areIds(orgId)) return;
      const rows = inPages<PagedRow>((after, limit) => fetchPage(db, orgId, after, limit));
      for await (const { row } of rows) yield row;
    },

    find: async (orgId, productId) => {
      if (!areIds(orgId, productId)) return null;
      const row = await db
        .selectFrom('products')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('id', '=', productId)
        .executeTakeFirst();
      return row ? toProduct(row) : null;
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

    save: async (product, expected) => {
      if (!areIds(product.orgId, product.id)) return 'changed-meanwhile';
      try {
        return await transact<'saved' | 'changed-meanwhile'>(db, async (trx, giveUp) => {
          await moveRevision(trx, product.orgId);
          return (await replaceRow(trx, product, expected)) ? 'saved' : giveUp('changed-meanwhile');
        });
      } catch (error) {
        if (isUniqueViolation(error)) return 'slug-taken';
        throw error;
      }
    },
  };
}

async function replaceRow(trx: Transaction<Schema>, product: Product, expected: Product): Promise<boolean> {
  const { org_id, id, ...changed } = toRow(product);
  const saved = await trx
    .updateTable('products')
    .set(changed)
    .where('org_id', '=', org_id)
    .where('id', '=', id)
    .where('updated_at', '=', expected.updatedAt)
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

interface PagedRow extends Mark {
  readonly row: ProductListRow;
}

async function fetchPage(
  db: Kysely<Schema>,
  orgId: string,
  after: Mark | null,
  limit: number,
): Promise<readonly PagedRow[]> {
  const rows = await db
    .selectFrom('products')
    .leftJoin('product_versions as active', (join) =>
      join
        .onRef('active.org_id', '=', 'products.org_id')
        .onRef('active.id', '=', 'products.active_version_id'),
    )
    .selectAll('products')
    .select(['active.version', 'active.status as version_status', 'active.created_at as version_created_at'])
    .where('products.org_id', '=', orgId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(products.created_at, products.id) < (${after?.createdAt}, ${after?.id})`),
    )
    .orderBy('products.created_at', 'desc')
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ createdAt: row.created_at, id: row.id, row: toListRow(row) }));
}

function toListRow(
  row: Selectable<Schema['products']> & {
    readonly version: string | null;
    readonly version_status: 'preparing' | 'ready' | null;
    readonly version_created_at: Date | null;
  },
): ProductListRow {
  const { active_version_id: id, version, version_status: status, version_created_at: createdAt } = row;
  const isThere = id !== null && version !== null && status !== null && createdAt !== null;
  return {
    product: toProduct(row),
    activeVersion: isThere ? { id, productId: row.id, version, status, createdAt } : null,
  };
}

function toProduct(row: Selectable<Schema['products']>): Product {
  return {
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    status: row.status,
    activeVersionId: row.active_version_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
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
