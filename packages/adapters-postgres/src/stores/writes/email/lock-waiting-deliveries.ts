import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/**
 * Locks the deliveries with this status that wait for one of these receipts, and returns their ids.
 *
 * Rows are locked by id, as everywhere. Two receipts of one entry that are completed at once meet here: the second
 * waits, and its next statement sees the first one's receipt as completed.
 *
 * The deliveries that name a purchase are found by one index lookup each, because statistics mislead any join: where
 * most lines name a few purchases, the planner expects as many lines of every purchase, and reads the whole table.
 * The purchases of the receipts are found likewise.
 */
export async function lockWaitingDeliveries(
  trx: Transaction<Schema>,
  orgId: string,
  receiptIds: readonly string[],
  statuses: readonly ('pending' | 'error')[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with recursive bought as materialized (
      select purchase.id
      from unnest(${receiptIds}::uuid[]) as completed (receipt_id)
      cross join lateral (
        select id from purchases where org_id = ${orgId} and receipt_id = completed.receipt_id offset 0
      ) purchase
    ),
    named (purchase_id, delivery_id) as (
      select id, ${NIL}::uuid from bought
      union all
      select line.purchase_id, line.delivery_id
      from named cross join lateral (
        select purchase_id, delivery_id from delivery_lines
        where org_id = ${orgId} and purchase_id is not null
          and (purchase_id, delivery_id) > (named.purchase_id, named.delivery_id)
        order by purchase_id, delivery_id
        limit 1
      ) line
      where line.purchase_id = named.purchase_id
    )
    select id from deliveries
    where org_id = ${orgId} and status = any(${statuses}::text[]) and decided_at is not null
      and id = any(array(select delivery_id from named))
    order by id
    for no key update
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000';
