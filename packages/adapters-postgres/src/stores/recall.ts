import type { Known, KnownProduct, KnownPurchase, Order, SkuMapping } from '@handover/domain';
import { foldEmail, listOrderCandidates, readEmail } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import { nameProducts } from './named-products.ts';

interface RecalledRow {
  readonly revision: string;
  readonly subscription_expires_at: Date | null;
  readonly default_currency: string | null;
  readonly ignore_test_orders: boolean | null;
  readonly customer_id: string | null;
  readonly mappings: readonly SkuMapping[];
  readonly products: readonly KnownProduct[];
  readonly purchases: readonly KnownPurchase[];
}

/** One statement, so that all of it is seen at one moment. */
export async function recall(db: Kysely<Schema>, order: Order): Promise<Known> {
  const row = areIds(order.orgId, order.connectionId) ? await fetchKnown(db, order) : undefined;
  return {
    catalogueRevision: row?.revision ?? '0',
    subscriptionExpiresAt: row?.subscription_expires_at ?? null,
    defaultCurrency: row?.default_currency ?? null,
    ignoreTestOrders: row?.ignore_test_orders ?? false,
    mappings: row?.mappings ?? [],
    products: row?.products ?? [],
    customer: row?.customer_id ? { id: row.customer_id } : null,
    purchases: row?.purchases ?? [],
  };
}

async function fetchKnown(db: Kysely<Schema>, order: Order): Promise<RecalledRow | undefined> {
  const candidates = listOrderCandidates(order);
  const named = nameProducts(
    order.orgId,
    candidates,
    sql`select product_id from purchases
      where org_id = ${order.orgId} and connection_id = ${order.connectionId} and order_id = ${order.orderId}`,
  );
  const email = readEmail(order.customer.email);
  const { rows } = await sql<RecalledRow>`
    with mapping as (${named.mapping} and platform in ('', ${order.platform}))
    select
      catalogue.revision::text,
      organisation.subscription_expires_at,
      coalesce(connection.default_currency, organisation.currency) as default_currency,
      connection.ignore_test_orders,
      (
        select id from customers
        where org_id = organisation.id and email_folded = ${email === null ? null : foldEmail(email)}
      ) as customer_id,
      ${named.mappings} as mappings,
      ${named.products} as products,
      (
        select coalesce(json_agg(json_build_object(
          'id', purchase.id,
          'productId', purchase.product_id,
          'soldAs', (
            select coalesce(json_agg(json_build_object('candidate', candidate, 'sku', sku)), '[]') from sold_as
            where org_id = purchase.org_id and purchase_id = purchase.id
          ),
          'receipt', case when receipt.id is not null then json_build_object(
            'id', receipt.id, 'status', receipt.status, 'attempts', receipt.attempts
          ) end
        ) order by purchase.id), '[]')
        from purchases purchase
        left join receipts receipt on receipt.org_id = purchase.org_id and receipt.id = purchase.receipt_id
        where purchase.org_id = organisation.id
          and purchase.connection_id = ${order.connectionId}
          and purchase.order_id = ${order.orderId}
      ) as purchases
    from organisations organisation
    join catalogues catalogue on catalogue.org_id = organisation.id
    left join connections connection
      on connection.org_id = organisation.id and connection.id = ${order.connectionId}
    where organisation.id = ${order.orgId}
  `.execute(db);
  return rows[0];
}
