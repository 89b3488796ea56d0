import { type DeliveryListRow, type DeliveryLog, type OpenedLogEntry, SHOWN_LINES } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { createDeliveryFinder } from './find-delivery.ts';
import { logColumns } from './log-columns.ts';
import { countDeliveries, listSources, searchDeliveries, selectNewest } from './search-deliveries.ts';

export function readDeliveryLog(
  db: Db,
): Pick<DeliveryLog, 'find' | 'list' | 'show' | 'search' | 'count' | 'open' | 'listSources'> {
  const find = createDeliveryFinder(db);
  return {
    find: async (orgId, deliveryId) =>
      areIds(orgId, deliveryId) ? find({ orgId: orgId.toLowerCase(), id: deliveryId.toLowerCase() }) : null,

    list: async (orgId, { before, ...query }) => {
      if (!areIds(orgId) || (before !== null && !areIds(before))) return [];
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
      page.id,
      page.org_id as "orgId",
      page.platform,
      page.connection_id as "connectionId",
      page.order_id as "orderId",
      page.order_number as "orderNumber",
      page.email_normalized as "normalizedEmail",
      page.received_at as "receivedAt",
      page.status,
      page.reason,
      nullif(concat_ws(' ', page.received_note, page.note), '') as note,
      (
        select coalesce(json_agg(json_build_object(
          'position', position,
          'sku', sku,
          'outcome', outcome,
          'reason', reason,
          'productId', product_id,
          'purchaseId', purchase_id,
          'candidate', candidate
        ) order by position), '[]')
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
          'nextTryAt', to_char(next_try_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        ) order by next_try_at), '[]')
        from outgoing_emails
        where org_id = ${orgId} and status <> 'sent' and id in (
          select receipt_id from purchases purchase
          join delivery_lines line on line.org_id = ${orgId} and line.purchase_id = purchase.id
          where purchase.org_id = ${orgId} and line.delivery_id = ${deliveryId}
        )
      ) as receipts
    from page
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  const receipts = row.receipts.map((receipt) => ({ ...receipt, nextTryAt: new Date(receipt.nextTryAt) }));
  return { ...row, receipts };
}
