import {
  type KnownProduct,
  type KnownPurchase,
  listOrderCandidates,
  normalizeEmail,
  normalizeSku,
  normalizeSlug,
  type Order,
  type OrderSnapshot,
  type PurchaseAlias,
  type ReceiptStatus,
  type SkuMapping,
} from '@handover/domain';
import { type Database, toDate } from './database.ts';

/** A consistent snapshot of what the store knows about one order. */
export function loadSnapshot(database: Database, order: Order): OrderSnapshot {
  return database.inTransaction(() => {
    const shop = database.get<ShopRow>(
      `select revision, subscription_expires_at as expiresAt, default_currency as currency from shops
       where org_id = :orgId`,
      { orgId: order.orgId },
    );
    const purchases = loadPurchases(database, order);
    const mappings = loadMappings(database, order);
    return {
      catalogueRevision: String(shop?.revision ?? 0),
      subscriptionExpiresAt: shop?.expiresAt == null ? null : toDate(shop.expiresAt),
      defaultCurrency: shop?.currency ?? null,
      ignoreTestOrders: false,
      mappings,
      products: loadProducts(database, order, [...mappings, ...purchases]),
      customer: loadCustomer(database, order),
      purchases,
    };
  });
}

function loadMappings(database: Database, order: Order): readonly SkuMapping[] {
  const skus = listOrderCandidates(order).map(({ value }) => normalizeSku(value));
  const rows = database.all<SkuMapping>(
    `select sku, platform, product_id as productId from mappings
     where org_id = :orgId and (platform is null or platform = :platform)
       and sku in (select value from json_each(:skus))`,
    { orgId: order.orgId, platform: order.platform, skus: JSON.stringify(skus) },
  );
  return rows.map((row) => ({ ...row }));
}

function loadProducts(
  database: Database,
  order: Order,
  named: readonly { readonly productId: string | null }[],
): readonly KnownProduct[] {
  const texts = listOrderCandidates(order).flatMap(({ kind, value }) => (kind === 'sku' ? [value] : []));
  const ids = [...named.map(({ productId }) => productId), ...texts.map(normalizeSku)];
  const rows = database.all<KnownProduct>(
    `select id, name, slug, status, version_id as activeVersionId from products
     where org_id = :orgId
       and (id in (select value from json_each(:ids)) or slug in (select value from json_each(:slugs)))`,
    { orgId: order.orgId, ids: JSON.stringify(ids), slugs: JSON.stringify(texts.map(normalizeSlug)) },
  );
  return rows.map((row) => ({ ...row }));
}

function loadCustomer(database: Database, { orgId, customer }: Order): { readonly id: string } | null {
  if (customer.email === null) return null;
  const row = database.get<{ id: string }>(
    'select id from customers where org_id = :orgId and normalized_email = :email',
    { orgId, email: normalizeEmail(customer.email) },
  );
  return row ? { id: row.id } : null;
}

function loadPurchases(database: Database, order: Order): readonly KnownPurchase[] {
  const { orgId, connectionId, orderId } = order;
  const rows = database.all<PurchaseRow>(
    `select p.id, p.product_id as productId, r.id as receiptId, r.status, r.attempts
     from purchases p left join receipts r on r.org_id = p.org_id and r.id = p.receipt_id
     where p.org_id = :orgId and p.connection_id = :connectionId and p.order_id = :orderId order by p.id`,
    { orgId, connectionId, orderId },
  );
  const aliases = database.all<PurchaseAlias>(
    `select a.purchase_id as purchaseId, a.candidate, a.sku
     from purchase_aliases a join purchases p on p.org_id = a.org_id and p.id = a.purchase_id
     where p.org_id = :orgId and p.connection_id = :connectionId and p.order_id = :orderId`,
    { orgId, connectionId, orderId },
  );
  return rows.map(({ id, productId, receiptId, status, attempts }) => ({
    id,
    productId,
    receipt: receiptId === null ? null : { id: receiptId, status, attempts },
    purchaseAliases: aliases
      .filter(({ purchaseId }) => purchaseId === id)
      .map(({ candidate, sku }) => ({ candidate, sku })),
  }));
}

interface ShopRow {
  readonly revision: number;
  readonly expiresAt: number | null;
  readonly currency: string | null;
}

interface PurchaseRow {
  readonly id: string;
  readonly productId: string;
  readonly receiptId: string | null;
  readonly status: ReceiptStatus;
  readonly attempts: number;
}
