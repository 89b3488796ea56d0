import {
  type AssignableDelivery,
  type DeliveryBody,
  describeAssigned,
  type UnassignedDeliveries,
  type UnassignedDelivery,
} from '@handover/domain';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { inPages } from '../../../statements/in-pages.ts';
import { insertRecordings } from './insert-recordings.ts';

export function createPostgresUnassigned(db: Kysely<Schema>, jobs: JobOutbox): UnassignedDeliveries {
  return {
    record: (deliveries, body) => insertWaiting(db, deliveries, body),

    list: async ({ after, limit }) => {
      if (after !== null && !areIds(after)) return [];
      const rows = await db
        .selectFrom('unassigned_deliveries')
        .select([
          'id',
          'account',
          'org_hint',
          'order_id',
          'order_number',
          'email_normalized',
          'problem',
          'reason',
          'received_at',
        ])
        .$if(after !== null, (query) => query.where('id', '>', after))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toDelivery);
    },

    count: async () => {
      const { count } = await db
        .selectFrom('unassigned_deliveries')
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    listAssignable: (account) =>
      inPages<AssignableDelivery>((after, limit) => fetchAssignable(db, account, after, limit)),

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
  db: Kysely<Schema>,
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

type Row = Selectable<Schema['unassigned_deliveries']>;

/** A hint that is not a UUID names no organisation, and must not cause an error of the database. */
async function fetchAssignable(
  db: Kysely<Schema>,
  account: string | null,
  after: AssignableDelivery | null,
  limit: number,
): Promise<readonly AssignableDelivery[]> {
  const ofAccount = account === null ? sql`` : sql`and waiting.account = ${account}`;
  const further = after ? sql`and waiting.id > ${after.id}` : sql``;
  const { rows } = await sql<AssignableDelivery>`
    select waiting.id, coalesce(mapped.org_id, named.id) as "orgId", waiting.account
    from unassigned_deliveries waiting
    left join payment_accounts mapped on mapped.account = waiting.account
    left join organisations named on waiting.account is null and named.id = (
      case when waiting.org_hint ~* ${UUID} then waiting.org_hint::uuid end
    )
    where coalesce(mapped.org_id, named.id) is not null ${ofAccount} ${further}
    order by waiting.id
    limit ${limit}
  `.execute(db);
  return rows;
}

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

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

function toDelivery(row: Omit<Row, 'bytes' | 'headers'>): UnassignedDelivery {
  return {
    id: row.id,
    account: row.account,
    orgHint: row.org_hint,
    orderId: row.order_id,
    orderNumber: row.order_number,
    normalizedEmail: row.email_normalized,
    problem: row.problem,
    reason: row.reason,
    receivedAt: row.received_at,
  };
}
