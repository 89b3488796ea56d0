import type { PurchaseRow, Purchases } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { Mark } from '../in-pages.ts';
import { inPages } from '../in-pages.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { addSale } from './add-sale.ts';

export function createPostgresPurchases(db: Kysely<Schema>, jobs: JobOutbox): Purchases {
  return {
    async *list(orgId) {
      if (areIds(orgId)) yield* inPages<PurchaseRow>((after, limit) => fetchPage(db, orgId, after, limit));
    },

    add: (sale) => addSale(db, jobs, sale),
  };
}

async function fetchPage(
  db: Kysely<Schema>,
  orgId: string,
  after: Mark | null,
  limit: number,
): Promise<readonly PurchaseRow[]> {
  const before = after
    ? sql`and (purchase.created_at, purchase.id) < (${after.createdAt}, ${after.id})`
    : sql``;
  // The page is cut before the joins, so that only its own rows are joined.
  const { rows } = await sql<PurchaseRow>`
    with page as materialized (
      select * from purchases purchase
      where purchase.org_id = ${orgId} ${before}
      order by purchase.created_at desc, purchase.id desc
      limit ${limit}
    )
    select
      page.id,
      page.org_id as "orgId",
      page.customer_id as "customerId",
      customer.name as "customerName",
      customer.email as "customerEmail",
      page.product_id as "productId",
      product.name as "productName",
      product.slug as "productSlug",
      page.amount,
      page.currency,
      page.payment_method as "paymentMethod",
      page.source,
      page.order_id as "orderId",
      page.created_at as "createdAt",
      link.id as "linkId",
      link.expires_at as "downloadExpiresAt",
      link.used_at as "downloadUsedAt",
      receipt.sent_at as "receiptSentAt"
    from page
    join customers customer on customer.org_id = page.org_id and customer.id = page.customer_id
    join products product on product.org_id = page.org_id and product.id = page.product_id
    left join receipts receipt on receipt.org_id = page.org_id and receipt.id = page.receipt_id
    left join lateral (
      select id, expires_at, used_at from download_links
      where org_id = page.org_id and purchase_id = page.id
      order by created_at desc, id desc
      limit 1
    ) link on true
    order by page.created_at desc, page.id desc
  `.execute(db);
  return rows;
}
