import type { DownloadMetrics } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';

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
      select count(distinct purchase.customer_id)::integer as count
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

/** That a download session is not of a test order's purchase. Those are few. */
export function isNoTest(orgId: string | null): RawBuilder<unknown> {
  return sql`link_id not in (
    select link.id from purchases purchase
    join download_links link on link.org_id = ${orgId} and link.purchase_id = purchase.id
    where purchase.org_id = ${orgId} and purchase.is_test
  )`;
}
