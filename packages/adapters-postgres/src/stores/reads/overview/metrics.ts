import type { DayMetrics, DownloadMetrics, Metrics, TodayMetrics } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { readRow } from '../../../statements/rows.ts';

export function createPostgresMetrics(db: Db): Metrics {
  return {
    byDay: async (orgId, period) => (areIds(orgId) ? countDays(db, orgId, period) : []),
    ofToday: async (orgId, day) => countToday(db, orgId, day),
    ofDownloads: async (orgId, period) => countDownloads(db, areIds(orgId) ? orgId : null, period),
  };
}

/** One row per order of the period: its first arrival, and its best outcome. */
function ordersSince(orgId: string | null, from: Date, until: Date) {
  return sql`
    select
      min(received_at) as came_at,
      bool_or(status = 'success') as delivered,
      bool_or(status = 'held') as held,
      bool_or(status = 'pending') as pending
    ${entriesSince(orgId, from, until)}
    group by connection_id, order_id
  `;
}

/**
 * Reads each connection from its index, which contains all the columns. Test orders are few: they are read from an
 * index of their own, and left out.
 */
function entriesSince(orgId: string | null, from: Date, until: Date) {
  return sql`
    from connections connection
    cross join lateral (
      select connection_id, order_id, status, received_at from deliveries
      where org_id = ${orgId} and connection_id = connection.id
        and received_at >= ${from} and received_at <= ${until}
        and order_id is not null and status <> 'ignored'
        and id not in (
          select id from deliveries
          where org_id = ${orgId} and received_at >= ${from} and received_at <= ${until} and is_test
        )
    ) entry
    where connection.org_id = ${orgId}
  `;
}

const counts = sql`
  count(*)::integer as orders,
  count(*) filter (where delivered)::integer as delivered,
  count(*) filter (where held and not delivered)::integer as held,
  count(*) filter (where not (delivered or held or pending))::integer as failed
`;

async function countDays(
  db: Db,
  orgId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<readonly DayMetrics[]> {
  const { rows } = await sql<DayMetrics>`
    with orders_of_day as (
      select (came_at at time zone 'UTC')::date as day, ${counts}
      from (${ordersSince(orgId, from, until)}) orders
      group by 1
    ),
    downloads_of_day as (
      select (started_at at time zone 'UTC')::date as day, count(*)::integer as downloads
      from download_sessions
      where org_id = ${orgId} and started_at >= ${from} and started_at <= ${until}
        and ${isNoTest(orgId)}
      group by 1
    )
    select
      to_char(day, 'YYYY-MM-DD') as day,
      coalesce(orders, 0) as orders,
      coalesce(delivered, 0) as delivered,
      coalesce(held, 0) as held,
      coalesce(failed, 0) as failed,
      coalesce(downloads, 0) as downloads
    from orders_of_day full join downloads_of_day using (day)
    order by 1
  `.execute(db);
  return rows;
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

async function countToday(
  db: Db,
  orgId: string,
  { midnight, now }: { readonly midnight: Date; readonly now: Date },
): Promise<TodayMetrics> {
  const org = areIds(orgId) ? orgId : null;
  const aWeekBefore = (date: Date) => new Date(date.getTime() - WEEK_MS);
  return readRow(
    db,
    sql<TodayMetrics>`
    select
      today.orders, today.delivered, today.held, today.failed, today."lastOrderAt",
      (
        select count(distinct (connection_id, order_id))::integer
        ${entriesSince(org, aWeekBefore(midnight), aWeekBefore(now))}
      ) as "ordersAWeekAgo",
      (
        select count(*)::integer from download_sessions
        where org_id = ${org} and started_at >= ${midnight} and completed_at is not null and ${isNoTest(org)}
      ) as "downloadsCompleted",
      (
        select count(*)::integer from download_sessions
        where org_id = ${org} and last_byte_at > ${new Date(now.getTime() - MINUTE_MS)} and completed_at is null
          and ${isNoTest(org)}
      ) as "downloadsRunning",
      receipt."receiptMedianMs", receipt."receiptSlowestMs"
    from (
      select ${counts}, max(came_at) as "lastOrderAt"
      from (${ordersSince(org, midnight, now)}) orders
    ) today,
    (
      select
        round((percentile_cont(0.5) within group (order by ms))::numeric)::float8 as "receiptMedianMs",
        round(max(ms))::float8 as "receiptSlowestMs"
      from (
        select extract(epoch from sent_at - created_at) * 1000 as ms from outgoing_emails
        where org_id = ${org} and kind = 'receipt' and sent_at >= ${midnight}
          and id not in (
            select receipt_id from purchases where org_id = ${org} and is_test and receipt_id is not null
          )
      ) sent
    ) receipt
  `,
  );
}

interface Row {
  /** Null for the row of the whole period. */
  readonly day: string | null;
  readonly downloads: number;
  readonly finished: number;
  readonly bytes: number;
  readonly buyers: number;
}

/** Sessions that began in the period, by day and in total, in one statement. */
export async function countDownloads(
  db: Db,
  orgId: string | null,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<DownloadMetrics> {
  const { rows } = await sql<Row>`
    with session as materialized (
      select (started_at at time zone 'UTC')::date as day, link_id, completed_at, bytes
      from download_sessions
      where org_id = ${orgId} and started_at >= ${from} and started_at < ${until} and ${isNoTest(orgId)}
    ),
    buyer as (
      select count(distinct coalesce(link.customer_id, purchase.customer_id))::integer as count
      from (select distinct link_id from session) used
      join download_links link on link.org_id = ${orgId} and link.id = used.link_id
      join purchases purchase on purchase.org_id = ${orgId} and purchase.id = link.purchase_id
    )
    select
      to_char(day, 'YYYY-MM-DD') as day,
      count(*)::integer as downloads,
      count(completed_at)::integer as finished,
      coalesce(sum(bytes), 0)::float8 as bytes,
      (select count from buyer) as buyers
    from session
    group by grouping sets ((day), ())
    order by session.day
  `.execute(db);
  const total = rows.find(({ day }) => day === null);
  return {
    days: rows.flatMap(({ day, downloads, finished, bytes }) =>
      day === null ? [] : [{ day, downloads, finished, bytes }],
    ),
    total: {
      downloads: total?.downloads ?? 0,
      finished: total?.finished ?? 0,
      bytes: total?.bytes ?? 0,
      buyers: total?.buyers ?? 0,
    },
  };
}

/** Whether a download session is not of a test order's purchase. The purchases of test orders are few. */
export function isNoTest(orgId: string | null): RawBuilder<unknown> {
  return sql`link_id not in (
    select link.id from purchases purchase
    join download_links link on link.org_id = ${orgId} and link.purchase_id = purchase.id
    where purchase.org_id = ${orgId} and purchase.is_test
  )`;
}
