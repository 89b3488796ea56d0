import type { Product, ProductListRow, ProductQuery, Products } from '@handover/domain';
import { type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { BEFORE_ALL, type Cursor, inPages } from '../../../statements/in-pages.ts';

export function readProducts(db: Db): Pick<Products, 'list' | 'search' | 'find' | 'findBySlug'> {
  // Concurrent reads of the same value share one statement, which begins after each of them asked.
  const fetchFirst = doTogether<{ readonly orgId: string; readonly limit: number }, readonly PagedRow[]>(db, {
    keyOf: ({ orgId, limit }) => `${orgId} ${limit}`,
    run: async (asked) => {
      const { orgId, limit } = asked[0] ?? { orgId: '', limit: 0 };
      const rows = await fetchPage(db, orgId, null, limit);
      return asked.map(() => rows);
    },
  });
  return {
    async *list(orgId) {
      if (!areIds(orgId)) return;
      const rows = inPages<PagedRow>((after, limit) =>
        after ? fetchPage(db, orgId, after, limit) : fetchFirst({ orgId, limit }),
      );
      for await (const { row } of rows) yield row;
    },

    search: async (orgId, query) => (areIds(orgId, query.before) ? searchProducts(db, orgId, query) : []),

    find: async (orgId, productId) => (areIds(orgId, productId) ? findProduct(db, orgId, productId) : null),

    findBySlug: async (orgId, slug) => (areIds(orgId) ? findBy(db, orgId, 'slug', slug) : null),
  };
}

/** Takes ids that are ids. */
export function findProduct(db: Db, orgId: string, productId: string): Promise<Product | null> {
  return findBy(db, orgId, 'id', productId);
}

async function findBy(db: Db, orgId: string, column: 'id' | 'slug', value: string): Promise<Product | null> {
  const row = await db
    .selectFrom('products')
    .selectAll()
    .where('org_id', '=', orgId)
    .where(column, '=', value)
    .executeTakeFirst();
  return row ? toProduct(row) : null;
}

interface PagedRow extends Cursor {
  readonly row: ProductListRow;
}

async function fetchPage(
  db: Db,
  orgId: string,
  after: Cursor | null,
  limit: number,
): Promise<readonly PagedRow[]> {
  const { createdAt, id } = after ?? BEFORE_ALL;
  const rows = await selectListRows(db, orgId)
    .where(sql<boolean>`(products.created_at, products.id) < (${createdAt}, ${id})`)
    .orderBy('products.created_at', 'desc')
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ createdAt: row.created_at, id: row.id, row: toListRow(row) }));
}

/** One page of the list. */
async function searchProducts(
  db: Db,
  orgId: string,
  { text, status, before, limit }: ProductQuery,
): Promise<readonly ProductListRow[]> {
  const wanted = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await selectListRows(db, orgId)
    .$if(wanted !== '%%', (query) =>
      query.where(sql<boolean>`(products.name ilike ${wanted} or products.slug ilike ${wanted})`),
    )
    .$if(status !== null, (query) => query.where('products.status', '=', status ?? 'draft'))
    .$if(before !== null, (query) => query.where('products.id', '<', before ?? ''))
    .orderBy('products.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toListRow);
}

/** Products of an organisation, each with its live version. */
function selectListRows(db: Db, orgId: string) {
  return db
    .selectFrom('products')
    .leftJoin('product_versions as active', (join) =>
      join.on('active.org_id', '=', orgId).onRef('active.id', '=', 'products.active_version_id'),
    )
    .selectAll('products')
    .select(['active.version', 'active.status as version_status', 'active.created_at as version_created_at'])
    .where('products.org_id', '=', orgId);
}

type ListedRow = Selectable<Schema['products']> & {
  readonly version: string | null;
  readonly version_status: 'preparing' | 'ready' | null;
  readonly version_created_at: Date | null;
};

function toListRow(row: ListedRow): ProductListRow {
  const { active_version_id: id, version, version_status: status, version_created_at: createdAt } = row;
  const isThere = id !== null && version !== null && status !== null && createdAt !== null;
  return {
    product: toProduct(row),
    activeVersion: isThere ? { id, productId: row.id, version, status, createdAt } : null,
  };
}

export function toProduct(row: Selectable<Schema['products']>): Product {
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
