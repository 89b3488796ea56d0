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
import { type Row, readUnassigned, toDelivery } from '../../reads/fulfilment/unassigned-deliveries.ts';
import { insertRecordings } from './record-together.ts';

export function createPostgresUnassigned(db: Db, jobs: JobOutbox): UnassignedDeliveries {
  return {
    ...readUnassigned(db),

    record: (deliveries, body) => insertWaiting(db, deliveries, body),

    // The transaction that deletes the row moves it: another one waits for that, and then finds nothing.
    assign: async (deliveryId, destination, startAfter) => {
      if (!areIds(deliveryId)) return 'gone';
      const queued = await transact(db, async (trx) => {
        const row = await trx
          .deleteFrom('unassigned_deliveries')
          .where('id', '=', deliveryId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return null;
        const assigned = describeAssigned(toDelivery(row), destination, startAfter);
        const body = { id: assigned.delivery.bodyId, bytes: row.bytes, headers: row.headers };
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
  const kept = { bytes, headers: JSON.stringify(headers) };
  const rows = await db
    .insertInto('unassigned_deliveries')
    .values(deliveries.map((delivery) => ({ ...toRow(delivery), ...kept })))
    .onConflict((conflict) =>
      conflict
        .expression(sql`account, org_hint, order_id, (problem is null)`)
        .doUpdateSet({ order_id: sql`excluded.order_id` }),
    )
    .returning(['id', 'account', 'org_hint', 'order_id', 'problem'])
    .execute();
  const nameOf = (row: Pick<Row, 'account' | 'org_hint' | 'order_id' | 'problem'>) =>
    JSON.stringify([row.account, row.org_hint, row.order_id, row.problem === null]);
  const idOf = new Map(rows.map((row) => [nameOf(row), row.id]));
  return deliveries.map((delivery) => idOf.get(nameOf(toRow(delivery))) ?? delivery.id);
}

function toRow(delivery: UnassignedDelivery) {
  return {
    id: delivery.id,
    account: delivery.account,
    org_hint: delivery.orgHint,
    order_id: delivery.orderId,
    order_number: delivery.orderNumber,
    email_normalized: delivery.normalizedEmail,
    problem: delivery.problem,
    reason: delivery.reason,
    received_at: delivery.receivedAt,
  };
}
