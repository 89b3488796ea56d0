import type { EverywhereSearch, SearchHit, SearchQuery } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { beginsWith, hasOrderNumber, hasOwnNumber } from '../fulfilment/order-numbers.ts';
import { isNeeded } from '../fulfilment/rejected-deliveries.ts';
import { hasWords, isProductNamed } from '../purchases/search-purchases.ts';

/** The maximum number of matches that are sorted: nobody looks through more. */
const MAX_CANDIDATES = 1000;

type Part = RawBuilder<unknown>;

/** One statement. Each kind, and each possible meaning of the text, has its own index. */
export function createPostgresSearch(db: Db): EverywhereSearch {
  return {
    find: async (orgId, query) => {
      const parts = areIds(orgId) ? listParts(orgId, query) : [];
      if (parts.length === 0) return [];
      const { rows } = await sql<SearchHit>`
        select kind, id, title, detail, about, platform, status, is_exact as "isExact", is_test as "isTest", at
        from (${sql.join(parts, sql` union all `)})
          as hit (kind, id, title, detail, about, platform, status, is_exact, is_test, at)
        order by kind, ${BEST_FIRST}
      `.execute(db);
      return rows;
    },
  };
}

/** `compareHits`, in SQL. */
const BEST_FIRST = sql`is_exact desc, status is not distinct from 'ignored', at desc, id desc`;

function listParts(orgId: string, { terms, includesSales, limit }: SearchQuery): readonly Part[] {
  const { words, orderNumber, address, sku } = terms;
  const best = sql`order by ${BEST_FIRST} limit ${limit}`;
  const parts = [
    ...(words.length > 0 || sku !== null ? [selectProducts(orgId, words, sku)] : []),
    ...(includesSales && words.length > 0 ? [selectBuyers(orgId, words, address)] : []),
    ...(includesSales && orderNumber !== null ? [selectOrders(orgId, orderNumber)] : []),
    ...(includesSales ? [...selectEntries(orgId, terms), ...selectRejected(orgId, terms)] : []),
  ];
  return parts.map((part) => sql`(select * from (${part}) as one ${best})`);
}

function selectProducts(orgId: string, words: readonly string[], sku: string | null): Part {
  return sql`
    select
      'product' as kind, product.id, product.name as title, named.sku as detail, null::text as about,
      null::text as platform, product.status, coalesce(product.slug = ${sku} or named.sku = ${sku}, false) as is_exact, false as is_test,
      product.created_at as at
    from products product
    left join lateral (
      select sku from sku_mappings
      where org_id = ${orgId} and product_id = product.id and ${beginsWith(sql`sku`, sku ?? '')}
        and ${sku !== null}
      order by sku <> ${sku}, sku collate "C"
      limit 1
    ) named on true
    where product.org_id = ${orgId} and (named.sku is not null or (${isProductNamed(words)}))
  `;
}

function selectBuyers(orgId: string, words: readonly string[], address: string | null): Part {
  const columns = sql`id, name, email, email_normalized, created_at`;
  return sql`
    select
      'buyer' as kind, id, name as title, email as detail, null::text as about, null::text as platform,
      null::text as status, coalesce(email_normalized = ${address}, false) as is_exact, false as is_test, created_at as at
    from (
      (select ${columns} from customers where org_id = ${orgId} and email_normalized = ${address})
      union
      ${firstOf(sql`select ${columns} from customers where org_id = ${orgId} and ${hasWords(words)}`)}
    ) buyer
  `;
}

function selectOrders(orgId: string, number: string): Part {
  const meanings = listMeanings(number, sql`source`).map((meaning) =>
    firstOf(sql`
      select id, order_number, order_id, customer_id, product_id, source, is_test, created_at
      from purchases where org_id = ${orgId} and ${meaning}
    `),
  );
  return sql`
    select
      'order' as kind, bought.id, coalesce(order_number, order_id) as title, customer.name as detail,
      product.name as about, source as platform, null::text as status, ${isNumber(number)} as is_exact, bought.is_test,
      bought.created_at as at
    from (${sql.join(meanings, sql` union `)}) bought
    join customers customer on customer.org_id = ${orgId} and customer.id = customer_id
    join products product on product.org_id = ${orgId} and product.id = product_id
  `;
}

/**
 * Orders of which nothing is delivered yet, or ever. The others are found as purchases. With `offset 0`, lines are looked up for
 * each entry: a join would read all delivered lines of the organisation.
 */
function selectEntries(
  orgId: string,
  { orderNumber: number, address, addressStart, sku }: SearchQuery['terms'],
): readonly Part[] {
  const meanings = [
    ...(number === null ? [] : listMeanings(number, sql`platform`)),
    ...(address === null ? [] : [sql`email_normalized = ${address}`]),
    ...(sku === null
      ? []
      : LINES.map(
          (isMeant) => sql`id = any(array(
            select delivery_id from delivery_lines
            where org_id = ${orgId} and ${beginsWith(sql`lower(left(sku, 200))`, sku)} and ${isMeant}
            limit ${MAX_CANDIDATES}
          ))`,
        )),
    ...(addressStart === null ? [] : [isOpenOf(orgId, addressStart)]),
  ].map((meaning) =>
    firstOf(sql`
      select id, connection_id, order_number, order_id, email_normalized, platform, status, is_test, received_at
      from deliveries where org_id = ${orgId} and ${meaning}
    `),
  );
  if (meanings.length === 0) return [];
  return [
    sql`
      select distinct on (connection_id, order_id)
        'entry' as kind, id, coalesce(order_number, order_id) as title, email_normalized as detail,
        null::text as about, platform, status, ${number === null ? sql`false` : isNumber(number)} as is_exact,
        is_test, received_at as at
      from (${sql.join(meanings, sql` union `)}) entry
      where order_id is not null and status <> 'success'
        and not exists (
          select from delivery_lines
          where org_id = ${orgId} and delivery_id = entry.id and purchase_id is not null
          offset 0
        )
        -- An order that was placed and then paid is no longer ignored.
        and (status <> 'ignored' or not exists (
          select from deliveries other
          where other.org_id = ${orgId} and other.connection_id = entry.connection_id
            and other.order_id = entry.order_id and other.status <> 'ignored'
          offset 0
        ))
      order by connection_id, order_id, id desc
    `,
  ];
}

/**
 * Searches the newest entries that wait or failed, by the index of the log's lists. Most orders with such an address were
 * delivered, and are found as purchases.
 */
function isOpenOf(orgId: string, addressStart: string): Part {
  return sql`id = any(array(
    select entry.id from connections connection
    cross join unnest(array['error', 'held', 'pending']) as state
    cross join lateral (
      select id, email_normalized from deliveries
      where org_id = ${orgId} and connection_id = connection.id and status = state
      order by id desc
      limit ${MAX_CANDIDATES}
    ) entry
    where connection.org_id = ${orgId} and ${beginsWith(sql`entry.email_normalized`, addressStart)}
  ))`;
}

/** Reads all of them: each platform has a hundred at most. */
function selectRejected(
  orgId: string,
  { orderNumber: number, address }: SearchQuery['terms'],
): readonly Part[] {
  const meanings = [
    ...(number === null ? [] : listMeanings(number, sql`platform`)),
    ...(address === null ? [] : [sql`email_normalized = ${address}`]),
  ];
  if (meanings.length === 0) return [];
  return [
    sql`
      select
        'rejected' as kind, id, coalesce(order_number, order_id) as title, email_normalized as detail,
        null::text as about, platform, null::text as status,
        ${number === null ? sql`false` : isNumber(number)} as is_exact, false as is_test, received_at as at
      from rejected_deliveries kept
      where org_id = ${orgId} and order_id is not null and ${isNeeded(orgId)}
        and ((${sql.join(meanings, sql`) or (`)}))
    `,
  ];
}

/**
 * Two searches, each with its limit: waiting lines, and the others without a purchase. Otherwise ignored lines of the same
 * SKU, of which there can be any number, would use up the limit. Delivered lines are not of such an entry.
 */
const LINES = [sql`outcome in ('held', 'unmatched')`, sql`purchase_id is null`];

/** Exact matches are searched separately, so that longer numbers do not use up the limit. `platform`: the column. */
function listMeanings(number: string, platform: Part): readonly Part[] {
  return [
    sql`${hasOwnNumber} and lower(ltrim(order_number, '#')) = ${number}`,
    sql`lower(order_id) = ${number}`,
    ...hasOrderNumber(number, platform),
  ];
}

function isNumber(number: string): Part {
  return sql`coalesce(lower(ltrim(order_number, '#')) = ${number} or lower(order_id) = ${number}, false)`;
}

/**
 * Limits rows in a CTE, which is read only up to the limit. With the limit in the same query, the planner would read all rows,
 * expecting to reach it early.
 */
function firstOf(rows: Part): Part {
  return sql`(with named as materialized (${rows}) select * from named limit ${MAX_CANDIDATES})`;
}
