import {
  type DeliveryStatus,
  LISTED_LINES,
  type LogCounts,
  type LogEntry,
  type LogQuery,
  type LogSource,
  MAX_COUNTED,
  normalizeEmail,
  normalizeOrderNumber,
  normalizeSku,
} from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { Schema } from '../schema.ts';
import { logColumns } from './log-columns.ts';

const STATUSES = [
  'pending',
  'success',
  'error',
  'held',
  'ignored',
] as const satisfies readonly DeliveryStatus[];

/**
 * A page of the log. Whatever a text can mean is looked for by an index of its own, newest first; and of one connection
 * each status is, for its index holds them one after the other.
 */
export async function searchDeliveries(
  db: Kysely<Schema>,
  orgId: string,
  { text, status, connectionId, before, limit }: LogQuery,
): Promise<readonly LogEntry[]> {
  const ids = [orgId, connectionId, before].filter((id) => id !== null);
  // No text that is stored holds a NUL, and the database takes none.
  if (!areIds(...ids) || text.includes('\0')) return [];
  const filters = [
    sql`delivery.org_id = ${orgId}`,
    ...(connectionId === null ? [] : [sql`connection_id = ${connectionId}`]),
    ...(before === null ? [] : [sql`id < ${before}`]),
  ];
  const ofStatus = (wanted: DeliveryStatus) => sql`status = ${wanted}`;
  const isPlain = text.trim() === '';
  const standings =
    status !== null
      ? [ofStatus(status)]
      : isPlain && connectionId !== null
        ? STATUSES.map(ofStatus)
        : [sql`true`];
  const meanings = isPlain ? [sql`true`] : listMeanings(orgId, text);
  const pages = standings.flatMap((standing) =>
    meanings.map(
      (meaning) => sql`(
        select id from deliveries delivery
        where ${sql.join([...filters, standing, meaning], sql` and `)}
        order by id desc
        limit ${limit}
      )`,
    ),
  );
  const { rows } = await sql<LogEntry>`
    with found as materialized (${sql.join(pages, sql` union `)}),
    page as materialized (
      select delivery.* from deliveries delivery
      join (select id from found order by id desc limit ${limit}) as newest
        on delivery.org_id = ${orgId} and delivery.id = newest.id
    )
    select ${logColumns(LISTED_LINES)} from page order by page.id desc
  `.execute(db);
  return rows;
}

/** By an index that holds all of it, and no further than is shown. */
export async function countDeliveries(
  db: Kysely<Schema>,
  orgId: string,
  connectionId: string | null,
): Promise<LogCounts> {
  const none: LogCounts = { pending: 0, success: 0, error: 0, held: 0, ignored: 0 };
  if (!areIds(...[orgId, connectionId].filter((id) => id !== null))) return none;
  const ofConnection = connectionId === null ? sql`` : sql`and connection_id = ${connectionId}`;
  const counts = STATUSES.map(
    (status) => sql`select ${sql.lit(status)} as status, count(*)::integer as count from (
      select from deliveries where org_id = ${orgId} and status = ${status} ${ofConnection}
      limit ${MAX_COUNTED + 1}
    ) as counted`,
  );
  const { rows } = await sql<{ readonly status: DeliveryStatus; readonly count: number }>`
    ${sql.join(counts, sql` union all `)}
  `.execute(db);
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}

export async function listSources(db: Kysely<Schema>, orgId: string): Promise<readonly LogSource[]> {
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

function listMeanings(orgId: string, text: string): readonly RawBuilder<unknown>[] {
  const number = normalizeOrderNumber(text);
  return [
    ...(number === '' ? [] : [beginsWith(sql`lower(ltrim(order_number, '#'))`, number)]),
    ...(number === '' ? [] : [beginsWith(sql`lower(order_id)`, number)]),
    sql`email_normalized is not null and ${beginsWith(sql`email_normalized`, normalizeEmail(text))}`,
    sql`id in (
      select delivery_id from delivery_lines
      where org_id = ${orgId} and ${beginsWith(sql`lower(left(sku, 200))`, normalizeSku(text))}
    )`,
  ];
}

function beginsWith(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${column} like ${`${text.slice(0, 200).replace(/[\\%_]/g, '\\$&')}%`}`;
}
