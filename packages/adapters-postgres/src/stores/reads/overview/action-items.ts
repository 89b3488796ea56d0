import type { ActionItemFacts, ActionItems, FirstSteps } from '@handover/domain';
import { MAX_WAITING } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { readRow } from '../../../statements/rows.ts';
import { isUnknown } from '../fulfilment/open-deliveries.ts';
import { releasedProducts } from '../fulfilment/released-entries.ts';
import { isReceiptDismissed } from './dismissed.ts';
import { findFailed, findUnreadable, type Newest, splitCount } from './failed-entries.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_PRODUCTS = 5;

export function createPostgresActionItems(db: Db): ActionItems {
  return {
    read: async (orgId, now) => {
      if (!areIds(orgId)) return NOTHING;
      const since = new Date(now.getTime() - MONTH_MS);
      const [held, unmatched, refused, postponed, failed, unreadable, rest] = await Promise.all([
        listHeld(db, orgId),
        sumUnmatched(db, orgId),
        findRefused(db, orgId),
        sumPostponed(db, orgId),
        findFailed(db, orgId, since),
        findUnreadable(db, orgId, since),
        readRest(db, orgId),
      ]);
      return { held, unmatched, refused, postponed, failed, unreadable, ...rest };
    },
    firstSteps: async (orgId) => readFirstSteps(db, areIds(orgId) ? orgId : null),
  };
}

const NOTHING: ActionItemFacts = {
  held: [],
  unmatched: null,
  refused: null,
  postponed: null,
  failed: null,
  unreadable: null,
  givenUpAlerts: null,
  subscriptionExpiresAt: null,
};

async function listHeld(db: Db, orgId: string): Promise<ActionItemFacts['held']> {
  const { rows } = await sql<ActionItemFacts['held'][number]>`
    select
      product.id as "productId",
      product.name as "productName",
      product.status as "productStatus",
      product.active_version_id is not null as "hasLiveVersion",
      held.orders,
      held.newest_at as "newestAt"
    from (
      select line.product_id, max(entry.received_at) as newest_at,
        count(distinct (entry.connection_id, entry.order_id))::integer as orders
      from delivery_lines line
      join deliveries entry on entry.org_id = ${orgId} and entry.id = line.delivery_id
      where line.org_id = ${orgId} and line.outcome = 'held' and not entry.is_test
        and line.product_id <> all(${releasedProducts(orgId)})
      group by line.product_id
      order by orders desc, line.product_id
      limit ${MAX_PRODUCTS}
    ) held
    join products product on product.org_id = ${orgId} and product.id = held.product_id
    order by held.orders desc, product.id
  `.execute(db);
  return rows;
}

interface UnmatchedRow {
  readonly skus: number;
  readonly orders: number;
  readonly named: readonly { readonly sku: string; readonly orders: number }[];
  readonly newestAt: Date | null;
}

/** One index finds the unmatched lines; only their entries are read. */
async function sumUnmatched(db: Db, orgId: string): Promise<ActionItemFacts['unmatched']> {
  const { rows } = await sql<UnmatchedRow>`
    with unknown as materialized (
      select named.sku_key, named.delivery_id, entry.received_at,
        (entry.connection_id, coalesce(entry.order_id, entry.id::text)) as ordered
      from delivery_lines named
      join deliveries entry on entry.org_id = ${orgId} and entry.id = named.delivery_id
      where named.org_id = ${orgId} and named.sku_key is not null and not entry.is_test
        and ${isUnknown(orgId)}
    ),
    most as (
      select sku_key, count(distinct ordered)::integer as orders,
        max(delivery_id::text collate "C")::uuid as newest
      from unknown
      group by sku_key
      order by orders desc, sku_key collate "C"
      limit 2
    )
    select
      count(distinct sku_key)::integer as skus,
      count(distinct ordered)::integer as orders,
      max(received_at) as "newestAt",
      (
        select coalesce(json_agg(json_build_object(
          'sku', (
            select sku from delivery_lines line
            where line.org_id = ${orgId} and line.delivery_id = most.newest and line.sku_key = most.sku_key
            order by position
            limit 1
          ),
          'orders', most.orders
        ) order by most.orders desc, most.sku_key collate "C"), '[]')
        from most
      ) as named
    from unknown
  `.execute(db);
  const [row] = rows;
  return row?.newestAt ? { ...row, newestAt: row.newestAt } : null;
}

/** Excludes purchases that have a later receipt or were revoked, and receipts that somebody dismissed: those need no action. */
async function findRefused(db: Db, orgId: string): Promise<ActionItemFacts['refused']> {
  const { rows } = await sql<Newest<ActionItemFacts['refused']>>`
    with refused as materialized (
      select id, last_answer, coalesce(last_answer_at, created_at) as refused_at from outgoing_emails receipt
      where org_id = ${orgId} and kind = 'receipt' and status = 'refused'
        and not ${isReceiptDismissed(orgId, sql`receipt`)}
        and exists (
          select from purchases purchase
          where purchase.org_id = ${orgId} and purchase.receipt_id = receipt.id and not purchase.is_test
            and exists (
              select from download_links
              where org_id = ${orgId} and purchase_id = purchase.id and revoked_at is null offset 0
            )
          offset 0
        )
      order by id desc
      limit ${MAX_WAITING}
    )
    select
      (select count(*)::integer from refused) as count,
      bought.id as "purchaseId",
      customer.name as "customerName",
      customer.email as "customerEmail",
      product.name as "productName",
      bought.more as "moreProducts",
      newest.last_answer as answer,
      newest.refused_at as at
    from (select * from refused order by refused_at desc, id desc limit 1) newest
    cross join lateral (
      select id, product_id, customer_id, count(*) over ()::integer - 1 as more from purchases
      where org_id = ${orgId} and receipt_id = newest.id
      order by not exists (
        select from download_links
        where org_id = ${orgId} and purchase_id = purchases.id and revoked_at is null
      ), id
      limit 1
    ) bought
    join customers customer on customer.org_id = ${orgId} and customer.id = bought.customer_id
    join products product on product.org_id = ${orgId} and product.id = bought.product_id
  `.execute(db);
  return splitCount(rows);
}

async function sumPostponed(db: Db, orgId: string): Promise<ActionItemFacts['postponed']> {
  const { rows } = await sql<{
    readonly count: number;
    readonly at: Date | null;
    readonly until: Date | null;
  }>`
    with waiting as (
      select created_at, next_try_at from outgoing_emails
      where org_id = ${orgId} and kind = 'receipt' and postponed and status = 'pending'
      order by next_try_at
      limit ${MAX_WAITING}
    )
    select count(*)::integer as count, max(created_at) as at, min(next_try_at) as until from waiting
  `.execute(db);
  const [row] = rows;
  return row?.at && row.until ? { count: row.count, at: row.at, until: row.until } : null;
}

interface RestRow {
  readonly subscriptionExpiresAt: Date | null;
  readonly answer: string | null;
  readonly at: Date | null;
}

async function readRest(
  db: Db,
  orgId: string,
): Promise<Pick<ActionItemFacts, 'givenUpAlerts' | 'subscriptionExpiresAt'>> {
  const { rows } = await sql<RestRow>`
    select
      organisation.subscription_expires_at as "subscriptionExpiresAt",
      given_up.summary as answer,
      given_up.at
    from organisations organisation
    left join lateral (
      select id, status from outgoing_emails
      where org_id = ${orgId} and kind = 'alert' and subject is null and status <> 'pending'
      order by pending_since desc
      limit 1
    ) latest on true
    left join activity given_up
      on given_up.org_id = ${orgId} and given_up.id = latest.id and latest.status = 'refused'
    where organisation.id = ${orgId}
  `.execute(db);
  const [row] = rows;
  return {
    givenUpAlerts: row?.at ? { answer: row.answer, at: row.at } : null,
    subscriptionExpiresAt: row?.subscriptionExpiresAt ?? null,
  };
}

/**
 * The first steps that a new organisation has completed; none of them without an organisation. The first row in the order of an
 * index says whether there is one: `exists` may read the table from its beginning, where only other organisations have rows.
 */
async function readFirstSteps(db: Db, orgId: string | null): Promise<FirstSteps> {
  return readRow(
    db,
    sql<FirstSteps>`
    select
      exists (
        select from organisations where id = ${orgId} and currency is not null
      ) as "hasCurrency",
      exists (
        select from products
        where org_id = ${orgId} and status = 'published' and active_version_id is not null
      ) as "hasPublished",
      exists (select from connection_secrets where org_id = ${orgId})
        or exists (select from payment_accounts where org_id = ${orgId}) as "hasConnected",
      (
        select id from deliveries where org_id = ${orgId} and order_id is not null order by id limit 1
      ) is not null as "hasReceived",
      (select id from purchases where org_id = ${orgId} order by id limit 1) is not null as "hasSold"
  `,
  );
}
