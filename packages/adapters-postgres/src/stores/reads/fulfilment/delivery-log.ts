import {
  type DeliveryListRow,
  type DeliveryLog,
  joinNotes,
  type OpenedLogEntry,
  SHOWN_LINES,
  type StoredDelivery,
} from '@handover/domain';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Schema } from '../../../database/schema.ts';
import { reviveTimes } from '../../../database/time-texts.ts';
import { doTogether } from '../../../statements/batches.ts';
import { areIds } from '../../../statements/ids.ts';
import { refundedAt } from '../purchases/purchase-filters.ts';
import { entryColumns, lineMembers, logColumns } from './log-columns.ts';
import { countDeliveries, listSources, searchDeliveries, selectNewest } from './search-deliveries.ts';

export function readDeliveryLog(
  db: Db,
): Pick<DeliveryLog, 'find' | 'list' | 'show' | 'search' | 'count' | 'open' | 'listSources' | 'hasReceived'> {
  const find = createDeliveryFinder(db);
  return {
    find: async (orgId, deliveryId) =>
      areIds(orgId, deliveryId) ? find({ orgId: orgId.toLowerCase(), id: deliveryId.toLowerCase() }) : null,

    list: async (orgId, { before, ...query }) => {
      if (!areIds(orgId, before)) return [];
      return fetchRows(db, orgId, selectNewest(orgId, { ...query, before, connectionId: null }), query.limit);
    },

    show: async (orgId, deliveryId) => {
      if (!areIds(orgId, deliveryId)) return null;
      const [row] = await fetchRows(db, orgId, sql`select ${deliveryId}::uuid as id`, 1);
      return row ?? null;
    },

    search: (orgId, query) => searchDeliveries(db, orgId, query),

    count: (orgId, connectionId) => countDeliveries(db, orgId, connectionId),

    open: (orgId, deliveryId) => openLogEntry(db, orgId, deliveryId),

    listSources: (orgId) => listSources(db, orgId),

    hasReceived: async (orgId, platform) => {
      if (!areIds(orgId)) return false;
      const { rows } = await sql`
        select from connections connection
        cross join lateral (
          select from deliveries
          where org_id = ${orgId} and connection_id = connection.id and not is_test
          -- The order of an index: without it, the table may be read from its beginning, where other organisations have rows.
          order by received_at desc, id desc
          limit 1
        ) received
        where connection.org_id = ${orgId} and connection.platform = ${platform}
        limit 1
      `.execute(db);
      return rows.length > 0;
    },
  };
}

/** Entries with their lines, newest first, in one statement. */
async function fetchRows(
  db: Db,
  orgId: string,
  ids: RawBuilder<unknown>,
  limit: number,
): Promise<readonly DeliveryListRow[]> {
  const { rows } = await sql<DeliveryListRow>`
    with found as materialized (${ids}),
    page as materialized (
      select delivery.* from (select id from found order by id desc limit ${limit}) newest
      join deliveries delivery on delivery.org_id = ${orgId} and delivery.id = newest.id
    )
    select
      ${entryColumns},
      (
        select coalesce(json_agg(json_build_object(${lineMembers}) order by position), '[]')
        from delivery_lines line
        where line.org_id = ${orgId} and line.delivery_id = page.id
      ) as lines
    from page
    order by page.id desc
  `.execute(db);
  return rows;
}

/** One entry, with the receipts that it waits for. */
async function openLogEntry(db: Db, orgId: string, deliveryId: string): Promise<OpenedLogEntry | null> {
  if (!areIds(orgId, deliveryId)) return null;
  const { rows } = await sql<OpenedLogEntry>`
    with page as materialized (select * from deliveries where org_id = ${orgId} and id = ${deliveryId})
    select
      ${logColumns(orgId, SHOWN_LINES)},
      (
        select coalesce(json_agg(json_build_object(
          'status', status,
          'attempts', attempts,
          'lastAnswer', last_answer,
          'nextTryAt', next_try_at
        ) order by next_try_at), '[]')
        from outgoing_emails
        where org_id = ${orgId} and status <> 'sent' and id in (
          select receipt_id from purchases purchase
          join delivery_lines line on line.org_id = ${orgId} and line.purchase_id = purchase.id
          where purchase.org_id = ${orgId} and line.delivery_id = ${deliveryId}
        )
      ) as receipts,
      ${refundedAt(orgId)} as "refundedAt"
    from page
  `.execute(db);
  return rows[0] ? reviveTimes(rows[0]) : null;
}

/**
 * The total size of the bodies in one answer. They are in memory several times while they are parsed, which blocks
 * the event loop.
 */
const MAX_BYTES = 512 * 1024;

interface Wanted {
  readonly orgId: string;
  readonly id: string;
}

type Row = Selectable<Schema['deliveries']> &
  Pick<Selectable<Schema['delivery_bodies']>, 'bytes' | 'headers'>;

/** Concurrent lookups of entries of one organisation share a statement, except for long bodies. */
function createDeliveryFinder(db: Db): (wanted: Wanted) => Promise<StoredDelivery | null> {
  const findTogether = doTogether<Wanted, Row | 'left-out' | null>(db, {
    keyOf: ({ orgId }) => orgId,
    run: (wanted) => fetchShort(db, wanted),
  });
  return async (wanted) => {
    const found = await findTogether(wanted);
    const row = found === 'left-out' ? await fetchOne(db, wanted) : found;
    return row && toStoredDelivery(row);
  };
}

/** Answers in the order of the lookups. PostgreSQL knows the length of a body without reading it. */
async function fetchShort(db: Db, wanted: readonly Wanted[]): Promise<readonly (Row | 'left-out' | null)[]> {
  const orgId = wanted[0]?.orgId ?? '';
  const ids = [...new Set(wanted.map(({ id }) => id))];
  const { rows } = await sql<Row & { readonly isLeftOut: boolean }>`
    select
      id, org_id, platform, connection_id, body_id, order_id, order_number, email_normalized, received_at, status, reason,
      note, received_note, trace_context, added_email, attempts, headers,
      case when place <= ${MAX_BYTES} then bytes end as bytes,
      place > ${MAX_BYTES} as "isLeftOut"
    from (
      select
        deliveries.*, body.headers, body.bytes, sum(octet_length(body.bytes)) over (order by deliveries.id) as place
      from unnest(${ids}::uuid[]) as wanted (id)
      join deliveries on deliveries.org_id = ${orgId} and deliveries.id = wanted.id
      left join delivery_bodies body on body.org_id = ${orgId} and body.id = deliveries.body_id
    ) entry
  `.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.map(({ id }) => {
    const row = byId.get(id);
    return row?.isLeftOut ? 'left-out' : (row ?? null);
  });
}

async function fetchOne(db: Db, { orgId, id }: Wanted): Promise<Row | null> {
  const { rows } = await sql<Row>`
    select deliveries.*, body.bytes, body.headers
    from deliveries
    left join delivery_bodies body on body.org_id = ${orgId} and body.id = deliveries.body_id
    where deliveries.org_id = ${orgId} and deliveries.id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

function toStoredDelivery(row: Row): StoredDelivery {
  return {
    id: row.id,
    orgId: row.org_id,
    platform: row.platform,
    connectionId: row.connection_id,
    bodyId: row.body_id,
    orderId: row.order_id,
    orderNumber: row.order_number,
    normalizedEmail: row.email_normalized,
    receivedAt: row.received_at,
    status: row.status,
    reason: row.reason,
    note: joinNotes(row.received_note, row.note),
    ...(row.trace_context !== null && { traceContext: row.trace_context }),
    ...(row.added_email !== null && { addedEmail: row.added_email }),
    attempts: row.attempts,
    body: row.bytes && { id: row.body_id, bytes: plainBytes(row.bytes), headers: row.headers ?? {} },
  };
}

/** The same bytes as a plain `Uint8Array`, not copied: the driver returns a `Buffer`. */
export function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
