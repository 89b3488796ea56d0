import type { Refund } from '@handover/domain';
import { sql } from 'kysely';
import type { Trx } from '../../../database/schema.ts';
import { unnestRows } from '../../../statements/rows.ts';

/**
 * Keeps the earliest refund of an order: a rejected request can be recorded after later ones. Every transaction inserts in
 * the order of the key, to avoid deadlocks.
 */
export async function insertRefunds(trx: Trx, orgId: string, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return;
  const named = refunds.map(({ order: orderName, ...refund }) => ({ ...refund, orderName }));
  await sql`
    insert into refunds as known (org_id, connection_id, named_by, order_name, delivery_id, at)
    select ${orgId}::uuid, said.*
    from ${unnestRows(named).as(`said (
      connection_id uuid, named_by text, order_name text, delivery_id uuid, at timestamptz
    )`)}
    order by connection_id, named_by, order_name
    on conflict (org_id, connection_id, named_by, order_name) do update set at = excluded.at, delivery_id = excluded.delivery_id
    where excluded.at < known.at
  `.execute(trx);
}
