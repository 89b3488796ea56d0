import type { PurchaseRow, Purchases } from '@handover/domain';
import { MAX_COUNTED } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { type Cursor, inPages } from '../../../statements/in-pages.ts';
import { countRows } from '../../../statements/rows.ts';
import { purchaseColumns, purchaseJoins } from './purchase-rows.ts';
import { listPurchasesAsJson } from './purchases-as-json.ts';
import { countPurchases, searchPurchases, sumPurchases, sumPurchasesByProduct } from './search-purchases.ts';
import { showPurchase } from './show-purchase.ts';

export function readPurchases(db: Db) {
  return {
    async *list(orgId) {
      if (areIds(orgId)) yield* inPages<PurchaseRow>((after, limit) => fetchPage(db, orgId, after, limit));
    },

    async *listAsJson(orgId, words) {
      if (areIds(orgId)) yield* listPurchasesAsJson(db, orgId, words);
    },

    show: (orgId, purchaseId) => showPurchase(db, orgId, purchaseId),

    search: (orgId, query) => searchPurchases(db, orgId, query),

    sum: (orgId, filter) => sumPurchases(db, orgId, filter),

    sumByProduct: (orgId, filter, limit) => sumPurchasesByProduct(db, orgId, filter, limit),

    countMatching: (orgId, query, max) => countPurchases(db, orgId, query, max),

    count: async (orgId) => {
      if (!areIds(orgId)) return 0;
      return countRows(db, sql`select from purchases where org_id = ${orgId}`);
    },

    findRecorded: async (orgId, idempotencyKey) => {
      if (!areIds(orgId)) return null;
      const row = await db
        .selectFrom('idempotency_keys')
        .select('purchase_id as purchaseId')
        .where('org_id', '=', orgId)
        .where('key', '=', idempotencyKey)
        .executeTakeFirst();
      return row?.purchaseId ?? null;
    },

    countOfProduct: async (orgId, productId) => {
      if (!areIds(orgId, productId)) return 0;
      return countRows(
        db,
        sql`select from purchases where org_id = ${orgId} and product_id = ${productId} and not is_test limit ${MAX_COUNTED + 1}`,
      );
    },
  } satisfies Partial<Purchases>;
}

async function fetchPage(
  db: Db,
  orgId: string,
  after: Cursor | null,
  limit: number,
): Promise<readonly PurchaseRow[]> {
  const before = after
    ? sql`and (purchase.created_at, purchase.id) < (${after.createdAt}, ${after.id})`
    : sql``;
  // The page is limited before the joins, so that only its rows are joined.
  const { rows } = await sql<PurchaseRow>`
    with page as materialized (
      select * from purchases purchase
      where purchase.org_id = ${orgId} ${before}
      order by purchase.created_at desc, purchase.id desc
      limit ${limit}
    )
    select ${purchaseColumns} ${purchaseJoins(orgId)}
    order by page.created_at desc, page.id desc
  `.execute(db);
  return rows;
}
