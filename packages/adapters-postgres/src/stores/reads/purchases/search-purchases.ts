import type { FoundPurchase, ProductSum, PurchaseFilter, PurchaseQuery, PurchaseSum } from '@handover/domain';
import { normalizeSku, searchWords } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { readWithin } from '../../../database/transact.ts';
import { areIds } from '../../../statements/ids.ts';
import { countRows } from '../../../statements/rows.ts';
import { isOfOrder } from '../fulfilment/order-numbers.ts';
import { listFilters, type PurchaseListFilter, purchasesRevoked, refundedAt } from './purchase-filters.ts';
import { purchaseColumns, purchaseJoins } from './purchase-rows.ts';

/** The maximum number of customers whose purchases a search finds: nobody pages through more. */
const MAX_CUSTOMERS = 1000;

/**
 * A page of purchases. Each possible meaning of a text (customer, order number, product) is searched by its own
 * index, newest first, and only the page's rows are joined.
 */
export async function searchPurchases(
  db: Db,
  orgId: string,
  query: PurchaseQuery,
): Promise<readonly FoundPurchase[]> {
  if (!hasIds(orgId, query)) return [];
  const { rows } = await sql<FoundPurchase>`
    with found as materialized (${newestOfAll(orgId, query)}),
    page as materialized (
      select purchase.* from purchases purchase
      join (select id from found order by created_at desc, id desc limit ${query.limit}) as newest
        on purchase.org_id = ${orgId} and purchase.id = newest.id
    )
    select
      ${purchaseColumns},
      (select name from connections where org_id = ${orgId} and id = page.connection_id) as "connectionName",
      page.order_number as "orderNumber",
      receipt.status as "receiptStatus",
      link.revoked_at as "revokedAt",
      ${refundedAt(orgId)} as "refundedAt"
    ${purchaseJoins(orgId)}
    order by page.created_at desc, page.id desc
  `.execute(db);
  return rows;
}

/** How many match, counted up to `max`. */
export async function countPurchases(
  db: Db,
  orgId: string,
  filter: PurchaseFilter,
  max: number,
): Promise<number> {
  const query = { ...filter, ofEveryCustomer: true, before: null, limit: max };
  if (!hasIds(orgId, query)) return 0;
  return countRows(db, sql`select from (${newestOfAll(orgId, query)}) as found limit ${max}`);
}

/** The longest time that a page waits for its sum. */
const MAX_SUM_MS = 3_000;

/** Sums the matching purchases, in one statement that reads those of the period once and sorts nothing. */
export async function sumPurchases(
  db: Db,
  orgId: string,
  filter: PurchaseFilter,
  maxMs = MAX_SUM_MS,
): Promise<readonly PurchaseSum[] | 'took-too-long'> {
  const query = { ...filter, leavesOutTests: true, ofEveryCustomer: true, before: null };
  if (!hasIds(orgId, query)) return [];
  return readWithin(db, maxMs, async (trx) => {
    const { rows } = await sql<PurchaseSum>`
      select currency, count(*)::integer as purchases, sum(amount)::text as amount from purchases purchase
      where ${sql.join(listFilters(orgId, query), sql` and `)} and ${isMeant(orgId, query)}
      group by currency
      order by currency collate "C" nulls last
    `.execute(trx);
    return rows;
  });
}

/** As {@link sumPurchases}, for each product. Revoked links are read once. */
export async function sumPurchasesByProduct(
  db: Db,
  orgId: string,
  filter: PurchaseFilter,
  limit: number,
): Promise<readonly ProductSum[] | 'took-too-long'> {
  const query = { ...filter, leavesOutTests: true, ofEveryCustomer: true, before: null };
  if (!hasIds(orgId, query)) return [];
  return readWithin(db, MAX_SUM_MS, async (trx) => {
    const { rows } = await sql<ProductSum>`
      with sold as (
        select product_id, currency, amount, id in (${purchasesRevoked(orgId)}) as is_revoked from purchases purchase
        where ${sql.join(listFilters(orgId, query), sql` and `)} and ${isMeant(orgId, query)}
      ),
      sums as (
        select product_id, currency, count(*)::integer as purchases, sum(amount)::text as amount,
          count(*) filter (where is_revoked)::integer as revoked,
          coalesce(sum(amount) filter (where is_revoked), 0)::text as revoked_amount
        from sold
        group by product_id, currency
      )
      select product.id as "productId", product.name as "productName", currency, purchases, amount, revoked,
        revoked_amount as "revokedAmount"
      from sums
      join products product on product.org_id = ${orgId} and product.id = sums.product_id
      order by sum(purchases) over (partition by product.id) desc, product.name collate "C", product.id,
        currency collate "C" nulls last
      limit ${limit}
    `.execute(trx);
    return rows;
  });
}

/** All meanings as one condition: a sum reads the whole period anyway. */
function isMeant(orgId: string, query: PurchaseListFilter): RawBuilder<unknown> {
  if (query.text.trim() === '') return sql`true`;
  const meanings = [...listMeanings(orgId, query), sql`product_id in (${productsNamed(orgId, query.text)})`];
  return sql`(${sql.join(meanings, sql` or `)})`;
}

function hasIds(
  orgId: string,
  { productId, customerId, connectionId, revocationId, ofOrder, before }: PurchaseListFilter,
): boolean {
  return areIds(orgId, productId, customerId, connectionId, revocationId, ofOrder?.connectionId, before);
}

function newestOfAll(orgId: string, query: PurchaseQuery): RawBuilder<unknown> {
  const isOfAll = query.text.trim() === '';
  const meanings = isOfAll ? [sql`true`] : listMeanings(orgId, query);
  const pages = [
    ...meanings.map((meaning) => newestOf(orgId, query, meaning)),
    ...(isOfAll ? [] : [newestOfProducts(orgId, query)]),
  ];
  return sql.join(pages, sql` union `);
}

function newestOf(orgId: string, query: PurchaseQuery, meaning: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select id, created_at from purchases purchase
    where ${sql.join([...listFilters(orgId, query), meaning], sql` and `)}
    order by created_at desc, id desc
    limit ${query.limit}
  )`;
}

/** One query per product: as one condition, it would scan all purchases if nearly all are of one product. */
function newestOfProducts(orgId: string, query: PurchaseQuery): RawBuilder<unknown> {
  return sql`(
    select newest.id, newest.created_at
    from (${productsNamed(orgId, query.text)}) as named (named_id)
    cross join lateral ${newestOf(orgId, query, sql`product_id = named.named_id`)} as newest
  )`;
}

function listMeanings(
  orgId: string,
  { text, ofEveryCustomer = false }: PurchaseListFilter,
): readonly RawBuilder<unknown>[] {
  const words = searchWords(text);
  return [
    ...isOfOrder(text, sql`source`),
    ...(words.length === 0 ? [] : [(ofEveryCustomer ? isOfAnyCustomer : isOfCustomer)(orgId, words)]),
  ];
}

/** Without the limit of customers, for a sum, a count, a file or a bulk action, which must include all. */
function isOfAnyCustomer(orgId: string, words: readonly string[]): RawBuilder<unknown> {
  return sql`customer_id in (select id from customers where org_id = ${orgId} and ${hasWords(words)})`;
}

function isOfCustomer(orgId: string, words: readonly string[]): RawBuilder<unknown> {
  return sql`customer_id = any(array(${customersNamed(orgId, words)}))`;
}

/** The limit is outside of the CTE, which is read only up to it: see `firstOf` of `search-everywhere.ts`. */
export function customersNamed(orgId: string, words: readonly string[]): RawBuilder<unknown> {
  return sql`
    with named as materialized (select id from customers where org_id = ${orgId} and ${hasWords(words)})
    select id from named limit ${MAX_CUSTOMERS}
  `;
}

/**
 * Whether the name or address of a customer has words that begin with these. Words contain letters and digits only, so nothing in
 * them is an operator of the text search.
 */
export function hasWords(words: readonly string[]): RawBuilder<unknown> {
  const wanted = words.map((word) => `'${word}':*`).join(' & ');
  return sql`array_to_tsvector(string_to_array(search_words, ' ')) @@ ${wanted}::tsquery`;
}

/** The products found by the words of their name and slug, or by one of their SKUs. */
export function productsNamed(orgId: string, text: string): RawBuilder<unknown> {
  return sql`
    select id from products
    where org_id = ${orgId} and ${isProductNamed(searchWords(text))}
    union
    select product_id from sku_mappings
    where org_id = ${orgId} and sku = ${normalizeSku(text)} and product_id is not null
  `;
}

/** Whether the name or slug of a product has words that begin with these. */
export function isProductNamed(words: readonly string[]): RawBuilder<unknown> {
  const named = words.map((word) => sql`lower(name || ' ' || slug) ~ ${`(^|[^[:alnum:]])${word}`}`);
  return named.length === 0 ? sql`false` : sql.join(named, sql` and `);
}
