import {
  type DeliveryBody,
  describeAssigned,
  type UnassignedDeliveries,
  type UnassignedDelivery,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { unnestRows } from '../../../statements/rows.ts';
import { readUnassigned, unassignedColumns } from '../../reads/fulfilment/unassigned-deliveries.ts';
import { insertRecordings } from './delivery-log.ts';

export function createPostgresUnassigned(db: Db, jobs: JobOutbox): UnassignedDeliveries {
  return {
    ...readUnassigned(db),

    record: (deliveries, body) => insertWaiting(db, deliveries, body),

    // The transaction that deletes the row assigns it. A concurrent one waits for that, and then finds nothing.
    assign: async (deliveryId, destination, startAfter) => {
      if (!areIds(deliveryId)) return 'gone';
      const queued = await transact(db, async (trx) => {
        const { rows } = await sql<UnassignedDelivery & Omit<DeliveryBody, 'id'>>`
          delete from unassigned_deliveries where id = ${deliveryId} returning ${unassignedColumns}, bytes, headers
        `.execute(trx);
        const [row] = rows;
        if (!row) return null;
        const { bytes, headers, ...delivery } = row;
        const assigned = describeAssigned(delivery, destination, startAfter);
        const body = { id: assigned.delivery.bodyId, bytes, headers };
        const deliveries = [assigned.delivery];
        await insertRecordings(trx, destination.orgId, [{ body, deliveries, jobs: assigned.jobs }]);
        return assigned.jobs;
      });
      if (queued) jobs.wake(queued);
      return queued ? 'assigned' : 'gone';
    },
  };
}

/** The update changes nothing: it makes the statement return the existing row. */
async function insertWaiting(
  db: Db,
  deliveries: readonly UnassignedDelivery[],
  { bytes, headers }: Omit<DeliveryBody, 'id'>,
): Promise<readonly string[]> {
  const { rows } = await sql<UnassignedDelivery>`
    insert into unassigned_deliveries
      (id, account, org_hint, order_id, order_number, email_normalized, problem, reason, received_at, bytes, headers)
    select entry.*, ${bytes}::bytea, ${JSON.stringify(headers)}::jsonb
    from ${unnestRows(deliveries).as(`entry (
      id uuid, account text, org_hint text, order_id text, order_number text, normalized_email text, problem text,
      reason text, received_at timestamptz
    )`)}
    on conflict (account, org_hint, order_id, (problem is null)) do update set order_id = excluded.order_id
    returning ${unassignedColumns}
  `.execute(db);
  const nameOf = ({ account, orgHint, orderId, problem }: UnassignedDelivery) =>
    JSON.stringify([account, orgHint, orderId, problem === null]);
  const idOf = new Map(rows.map((row) => [nameOf(row), row.id]));
  return deliveries.map((delivery) => idOf.get(nameOf(delivery)) ?? delivery.id);
}
