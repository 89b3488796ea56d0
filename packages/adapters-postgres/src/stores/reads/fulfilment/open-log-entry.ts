import { type OpenedLogEntry, SHOWN_LINES } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { areIds } from '../../../statements/ids.ts';
import { logColumns } from './log-columns.ts';

/** One entry, with the receipts that it waits for. */
export async function openLogEntry(
  db: Kysely<Schema>,
  orgId: string,
  deliveryId: string,
): Promise<OpenedLogEntry | null> {
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
