import {
  type DeliveryStatus,
  type ErrorCause,
  LISTED_LINES,
  type LogCounts,
  type LogEntry,
  type LogQuery,
  type LogSource,
  MAX_COUNTED,
  normalizeEmail,
  normalizeSku,
  type Platform,
} from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { logColumns } from './log-columns.ts';
import { beginsWith, isOfOrder } from './order-numbers.ts';

const STATUSES = [
  'pending',
  'success',
  'error',
  'held',
  'ignored',
] as const satisfies readonly DeliveryStatus[];

/**
 * A page of the log. Each possible meaning of a text is searched by its own index, newest first, and so is each
 * status of each connection.
 */
export async function searchDeliveries(
  db: Db,
  orgId: string,
  { text, ...query }: LogQuery,
): Promise<readonly LogEntry[]> {
  // No stored text contains a NUL, and the database accepts none.
  if (!areIds(orgId, query.connectionId, query.before) || text.includes('\0')) return [];
  const { status, cause = null, connectionId, limit } = query;
  const filters = [
    ...(cause === null ? [] : [causes(orgId)[cause]]),
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(connectionId === null ? [] : [sql`connection_id = ${connectionId}`]),
  ];
  const found =
    text.trim() === ''
      ? selectNewest(orgId, { ...query, platform: null })
      : sql.join(
          listMeanings(orgId, text).map((meaning) => selectPage(orgId, query, [...filters, meaning])),
          sql` union `,
        );
  const { rows } = await sql<LogEntry>`
    with found as materialized (${found}),
    page as materialized (
      select delivery.* from deliveries delivery
      join (select id from found order by id desc limit ${limit}) as newest
        on delivery.org_id = ${orgId} and delivery.id = newest.id
    )
    select ${logColumns(orgId, LISTED_LINES)} from page order by page.id desc
  `.execute(db);
  return rows;
}

/** The conditions by which `causeOfError` of the domain decides. */
const causes = (orgId: string): Readonly<Record<ErrorCause, RawBuilder<unknown>>> => ({
  unreadable: sql`status = 'error' and decided_at is null`,
  'no-address': sql`status = 'error' and decided_at is not null and email_normalized is null and not exists (
    select from delivery_lines where org_id = ${orgId} and delivery_id = deliveries.id
  )`,
});

type Page = Pick<LogQuery, 'before' | 'limit'>;

/** The ids of a page: all entries by the primary key, filtered ones by the index of each connection and status. */
export function selectNewest(
  orgId: string,
  query: Page & Pick<LogQuery, 'status' | 'cause' | 'connectionId'> & { readonly platform: Platform | null },
): RawBuilder<unknown> {
  const { cause = null, connectionId, platform } = query;
  // Only errors have a cause.
  const status = cause !== null && query.status === null ? 'error' : query.status;
  if (status === null && connectionId === null && platform === null) return selectPage(orgId, query, []);
  const filters = [
    sql`connection.org_id = ${orgId}`,
    ...(connectionId === null ? [] : [sql`connection.id = ${connectionId}`]),
    ...(platform === null ? [] : [sql`connection.platform = ${platform}`]),
  ];
  const pages = (status === null ? STATUSES : [status]).map((wanted) => {
    const ofConnection = [
      sql`connection_id = connection.id`,
      sql`status = ${wanted}`,
      ...(cause === null ? [] : [causes(orgId)[cause]]),
    ];
    return sql`
      select newest.id from connections connection
      cross join lateral ${selectPage(orgId, query, ofConnection)} newest
      where ${sql.join(filters, sql` and `)}
    `;
  });
  return sql.join(pages, sql` union all `);
}

function selectPage(
  orgId: string,
  { before, limit }: Page,
  filters: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const all = [sql`org_id = ${orgId}`, ...(before === null ? [] : [sql`id < ${before}`]), ...filters];
  return sql`(
    select id from deliveries where ${sql.join(all, sql` and `)} order by id desc limit ${limit}
  )`;
}

/**
 * Counts up to a limit, from an index alone. It is ordered, because without an order the planner reads the table from its
 * beginning, since most rows match, and so reads all of it for a connection without matching rows.
 */
export async function countDeliveries(
  db: Db,
  orgId: string,
  connectionId: string | null,
): Promise<LogCounts> {
  const none: LogCounts = { pending: 0, success: 0, error: 0, held: 0, ignored: 0 };
  if (!areIds(orgId, connectionId)) return none;
  const ofConnection = connectionId === null ? sql`` : sql`and connection.id = ${connectionId}`;
  const counts = STATUSES.map(
    (status) => sql`select ${sql.lit(status)} as status, count(*)::integer as count from (
      select from connections connection
      cross join lateral (
        select from deliveries
        where org_id = ${orgId} and connection_id = connection.id and status = ${sql.lit(status)}
        order by id desc
        limit ${MAX_COUNTED + 1}
      ) entry
      where connection.org_id = ${orgId} ${ofConnection}
      limit ${MAX_COUNTED + 1}
    ) as counted`,
  );
  const { rows } = await sql<{ readonly status: DeliveryStatus; readonly count: number }>`
    ${sql.join(counts, sql` union all `)}
  `.execute(db);
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}

export async function listSources(db: Db, orgId: string): Promise<readonly LogSource[]> {
  if (!areIds(orgId)) return [];
  return db
    .selectFrom('connections')
    .select(['id as connectionId', 'platform', 'name'])
    .where('org_id', '=', orgId)
    .orderBy('platform')
    .orderBy('name')
    .limit(500)
    .execute();
}

/** The number of characters of each SKU in its index. */
const INDEXED_LENGTH = 200;

function listMeanings(orgId: string, text: string): readonly RawBuilder<unknown>[] {
  const sku = normalizeSku(text).slice(0, INDEXED_LENGTH);
  return [
    ...isOfOrder(text, sql`platform`),
    sql`email_normalized is not null and ${beginsWith(sql`email_normalized`, normalizeEmail(text))}`,
    sql`id in (
      select delivery_id from delivery_lines
      where org_id = ${orgId} and ${beginsWith(sql`lower(left(sku, 200))`, sku)}
    )`,
  ];
}
