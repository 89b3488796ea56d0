import {
  type AddressCorrection,
  type Candidate,
  type KnownProduct,
  type KnownPurchase,
  listOrderCandidates,
  normalizeEmail,
  normalizeSku,
  normalizeSlug,
  type Order,
  type OrderSnapshot,
  readEmail,
  type SkuMapping,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestOrders } from './lock-facts.ts';

/**
 * Everything that affects the decision about orders of one organisation. One statement reads it, so that all of it is
 * of one moment.
 */
export async function loadSnapshots(db: Db, orders: readonly Order[]): Promise<readonly OrderSnapshot[]> {
  const asked = orders.filter(({ orgId, connectionId }) => areIds(orgId, connectionId));
  const known = new Map(asked.length > 0 ? await fetchKnown(db, asked) : []);
  return orders.map((order) => known.get(order) ?? UNKNOWN);
}

const UNKNOWN: OrderSnapshot = {
  catalogueRevision: '0',
  subscriptionExpiresAt: null,
  defaultCurrency: null,
  ignoreTestOrders: false,
  mappings: [],
  products: [],
  customer: null,
  purchases: [],
};

interface SnapshotRow extends Pick<OrderSnapshot, 'mappings' | 'products'> {
  readonly revision: string;
  readonly subscription_expires_at: Date | null;
  readonly currency: string | null;
  readonly connections: readonly (Pick<OrderSnapshot, 'defaultCurrency' | 'ignoreTestOrders'> & {
    readonly id: string;
  })[];
  /** `at`: the position of its order in the request. */
  readonly customers: readonly { readonly at: number; readonly id: string }[];
  readonly purchases: readonly { readonly at: number; readonly known: StoredPurchase }[];
}

/** JSON has no times. */
interface StoredPurchase extends Omit<KnownPurchase, 'customer'> {
  readonly customer: {
    readonly id: string;
    readonly corrections: readonly (Omit<AddressCorrection, 'at'> & { readonly at: string })[];
  };
}

async function fetchKnown(
  db: Db,
  orders: readonly Order[],
): Promise<readonly (readonly [Order, OrderSnapshot])[]> {
  const orgId = orders[0]?.orgId ?? '';
  const named = nameProducts(orgId, orders.flatMap(listOrderCandidates), sql`select product_id from bought`);
  const { rows } = await sql<SnapshotRow>`
      with mapping as (${named.mapping}),
      bought as materialized (
        select asked.at, purchase.* from ${unnestOrders(orders)}
        cross join lateral (
          select id, product_id, receipt_id, customer_id from purchases
          where org_id = ${orgId} and connection_id = asked.connection_id and order_id = asked.order_id
          offset 0
        ) purchase
      )
      select
        catalogue.revision::text,
        organisation.subscription_expires_at,
        organisation.currency,
        (
          select coalesce(json_agg(json_build_object(
            'id', id, 'defaultCurrency', default_currency, 'ignoreTestOrders', ignore_test_orders
          )), '[]')
          from connections where org_id = ${orgId} and id = any(${orders.map(({ connectionId }) => connectionId)}::uuid[])
        ) as connections,
        ${listCustomers(orgId, orders)} as customers,
        ${named.mappings} as mappings,
        ${named.products} as products,
        ${listBought(orgId)} as purchases
      from organisations organisation
      join catalogues catalogue on catalogue.org_id = ${orgId}
      where organisation.id = ${orgId}
    `.execute(db);
  return rows[0] ? divide(rows[0], orders) : [];
}

/** The customers that exist already, each with the position of its order. */
function listCustomers(orgId: string, orders: readonly Order[]): RawBuilder<unknown> {
  const emails = orders.map(({ customer }) => readEmail(customer.email));
  return sql`
    (
      select coalesce(json_agg(json_build_object('at', asked.at, 'id', customer.id)), '[]')
      from unnest(${emails.map((email) => email && normalizeEmail(email))}::text[])
        with ordinality as asked (email_normalized, at)
      cross join lateral (
        select id from customers where org_id = ${orgId} and email_normalized = asked.email_normalized
        offset 0
      ) customer
    )
  `;
}

/**
 * The purchases of `bought`, with the names and the receipt of each. When a purchase moves to another customer, its links
 * keep the customer that they were made for.
 */
function listBought(orgId: string): RawBuilder<unknown> {
  return sql`
    (
      select coalesce(json_agg(json_build_object(
        'at', bought.at,
        'known', json_build_object(
          'id', bought.id,
          'productId', bought.product_id,
          'customer', json_build_object('id', bought.customer_id, 'corrections', (
            select coalesce(json_agg(json_build_object('from', former, 'to', owner, 'at', at) order by at, id), '[]')
            from (
              select id, owner, created_at as at, lag(owner) over (order by created_at, id) as former
              from (
                select id, created_at, coalesce(customer_id, bought.customer_id) as owner from download_links
                where org_id = ${orgId} and purchase_id = bought.id
              ) link
            ) moved
            where former <> owner
          )),
          'purchaseAliases', (
            select coalesce(json_agg(json_build_object('candidate', candidate, 'sku', sku)), '[]')
            from purchase_aliases
            where org_id = ${orgId} and purchase_id = bought.id
          ),
          'receipt', (
            select json_build_object('id', id, 'status', status, 'attempts', attempts) from outgoing_emails
            where org_id = ${orgId} and id = bought.receipt_id
          )
        )
      ) order by bought.id), '[]')
      from bought
    )
  `;
}

/** Divides the rows that were read for all orders between them. */
function divide(row: SnapshotRow, orders: readonly Order[]): readonly (readonly [Order, OrderSnapshot])[] {
  const connections = new Map(row.connections.map((connection) => [connection.id, connection]));
  const customers = new Map(row.customers.map(({ at, id }) => [at, { id }]));
  const purchases = Map.groupBy(row.purchases, ({ at }) => at);
  const findNamed = indexCatalogue(row);
  return orders.map((order, index) => {
    const connection = connections.get(order.connectionId.toLowerCase());
    const bought = (purchases.get(index + 1) ?? []).map(({ known }) => toKnown(known));
    const known: OrderSnapshot = {
      catalogueRevision: row.revision,
      subscriptionExpiresAt: row.subscription_expires_at,
      defaultCurrency: connection?.defaultCurrency ?? row.currency,
      ignoreTestOrders: connection?.ignoreTestOrders ?? false,
      ...findNamed(order, bought),
      customer: customers.get(index + 1) ?? null,
      purchases: bought,
    };
    return [order, known];
  });
}

function toKnown(stored: StoredPurchase): KnownPurchase {
  const { id, corrections } = stored.customer;
  const dated = corrections.map(({ at, ...correction }) => ({ ...correction, at: new Date(at) }));
  return { ...stored, customer: { id, corrections: dated } };
}

type Named = Pick<OrderSnapshot, 'mappings' | 'products'>;

/** Finds the products that the names of an order can match, and those that it bought before. */
function indexCatalogue(row: Named): (order: Order, bought: readonly KnownPurchase[]) => Named {
  const mappingsBySku = Map.groupBy(row.mappings, ({ sku }) => sku);
  const byId = new Map(row.products.map((product) => [product.id, product]));
  const bySlug = new Map(row.products.map((product) => [product.slug, product]));
  return (order, bought) => {
    const candidates = listOrderCandidates(order);
    const mappings = [...new Set(candidates.map(({ value }) => normalizeSku(value)))]
      .flatMap((sku) => mappingsBySku.get(sku) ?? [])
      .filter(({ platform }) => platform === null || platform === order.platform);
    const products = [
      ...candidates
        .filter(({ kind }) => kind === 'sku')
        .flatMap(({ value }) => [byId.get(normalizeSku(value)), bySlug.get(normalizeSlug(value))]),
      ...[...mappings, ...bought].map(({ productId }) => byId.get(productId ?? '')),
    ];
    return { mappings, products: [...new Set(products.filter((product) => product !== undefined))] };
  };
}

interface NamedProducts {
  /** The mappings of those names, for every platform: the other two parts call it `mapping`. */
  readonly mapping: RawBuilder<unknown>;
  readonly mappings: RawBuilder<readonly SkuMapping[]>;
  /** Products that a mapping names, or that a `sku` names by its id or slug. */
  readonly products: RawBuilder<readonly KnownProduct[]>;
}

/**
 * Parts of a statement that loads everything the candidates can match; `matchLine` then decides what they do match.
 * `besides`: a query for the ids of other products to load.
 */
export function nameProducts(
  orgId: string,
  candidates: readonly Candidate[],
  besides: RawBuilder<unknown> = sql`select null::uuid`,
): NamedProducts {
  const skus = new Set(candidates.map(({ value }) => normalizeSku(value)));
  const chosen = candidates.flatMap(({ kind, value }) => (kind === 'sku' ? [value] : []));
  const slugs = new Set(chosen.map(normalizeSlug));
  const productIds = new Set(chosen.map(normalizeSku).filter((value) => areIds(value)));
  return {
    mapping: sql`
      select sku, platform, product_id from sku_mappings
      where org_id = ${orgId} and sku = any(${[...skus]}::text[])`,
    mappings: sql`(
      select coalesce(json_agg(json_build_object(
        'sku', sku, 'platform', nullif(platform, ''), 'productId', product_id
      )), '[]')
      from mapping
    )`,
    products: sql`(
      select coalesce(json_agg(json_build_object(
        'id', id, 'name', name, 'slug', slug, 'status', status, 'activeVersionId', active_version_id
      )), '[]')
      from products
      where org_id = ${orgId} and id in (
        select id from products where org_id = ${orgId} and slug = any(${[...slugs]}::text[])
        union
        select product_id from mapping
        union
        select unnest(${[...productIds]}::uuid[])
        union
        ${besides}
      )
    )`,
  };
}

/** Reads everything in one statement, so that all of it is of one moment. */
export async function fetchNamed(
  db: Db,
  orgId: string,
  candidates: readonly Candidate[],
): Promise<Pick<OrderSnapshot, 'mappings' | 'products'>> {
  if (candidates.length === 0) return { mappings: [], products: [] };
  const { mapping, mappings, products } = nameProducts(orgId, candidates);
  const { rows } = await sql<Pick<OrderSnapshot, 'mappings' | 'products'>>`
    with mapping as (${mapping})
    select ${mappings} as mappings, ${products} as products
  `.execute(db);
  return rows[0] ?? { mappings: [], products: [] };
}
