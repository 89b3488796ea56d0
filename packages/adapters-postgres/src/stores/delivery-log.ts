import type { DeliveryListRow, DeliveryLog, DeliveryRecording } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { areIds } from '../ids.ts';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { transact } from '../transact.ts';
import { createDeliveryFinder } from './find-delivery.ts';
import { openLogEntry } from './open-log-entry.ts';
import { raiseAlert } from './raise-alert.ts';
import { createTogetherRecorder, type RecordOutcome, recordAll } from './record-together.ts';
import { takeRejected } from './rejected-deliveries.ts';
import { countDeliveries, listSources, searchDeliveries } from './search-deliveries.ts';

export function createPostgresDeliveryLog(db: Kysely<Schema>, jobs: JobOutbox): DeliveryLog {
  const recordTogether = createTogetherRecorder(db, jobs);
  const find = createDeliveryFinder(db);
  return {
    record: (recording) =>
      isAlone(recording) ? recordAlone(db, jobs, recording) : recordTogether(recording),

    find: async (orgId, deliveryId) =>
      areIds(orgId, deliveryId) ? find({ orgId: orgId.toLowerCase(), id: deliveryId.toLowerCase() }) : null,

    explainPending: async (orgId, deliveryId, reason) => {
      if (!areIds(orgId, deliveryId)) return;
      await db
        .updateTable('deliveries')
        .set({ reason })
        .where('org_id', '=', orgId)
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .where('decided_at', 'is', null)
        // It is tried again and again: what is written already needs no new version of the row.
        .where(sql<boolean>`reason is distinct from ${reason}`)
        .execute();
    },

    list: async (orgId, { status, platform, before, limit }) => {
      if (!areIds(orgId) || (before !== null && !areIds(before))) return [];
      const conditions = [
        sql`org_id = ${orgId}`,
        ...(status === null ? [] : [sql`status = ${status}`]),
        ...(platform === null ? [] : [sql`platform = ${platform}`]),
        ...(before === null ? [] : [sql`id < ${before}`]),
      ];
      return fetchRows(db, conditions, limit);
    },

    show: async (orgId, deliveryId) => {
      if (!areIds(orgId, deliveryId)) return null;
      const [row] = await fetchRows(db, [sql`org_id = ${orgId}`, sql`id = ${deliveryId}`], 1);
      return row ?? null;
    },

    search: (orgId, query) => searchDeliveries(db, orgId, query),
    count: (orgId, connectionId) => countDeliveries(db, orgId, connectionId),
    open: (orgId, deliveryId) => openLogEntry(db, orgId, deliveryId),
    listSources: (orgId) => listSources(db, orgId),
  };
}

/** What takes more than a request's own rows: it is rare. */
function isAlone({ rejectedId, alerts = [] }: DeliveryRecording): boolean {
  return rejectedId !== null || alerts.length > 0;
}

async function recordAlone(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  recording: DeliveryRecording,
): Promise<RecordOutcome> {
  const outcome = await transact<RecordOutcome>(db, async (trx, giveUp) => {
    const { rejectedId, proof } = recording;
    if (rejectedId !== null && !(await takeRejected(trx, recording.orgId, rejectedId))) giveUp('gone');
    const [recorded = 'recorded'] = await recordAll(trx, [recording]);
    if (recorded === 'reused' && proof?.whenReused.kind === 'refuse') giveUp('reused');
    for (const alert of recording.alerts ?? []) await raiseAlert(trx, jobs, alert);
    return recorded;
  });
  jobs.wake(recording.jobs);
  return outcome;
}

/** Entries with their lines, newest first, in one statement. */
async function fetchRows(
  db: Kysely<Schema>,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
): Promise<readonly DeliveryListRow[]> {
  const { rows } = await sql<DeliveryListRow>`
    with page as materialized (
      select * from deliveries
      where ${sql.join(conditions, sql` and `)}
      order by id desc
      limit ${limit}
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
        where line.org_id = page.org_id and line.delivery_id = page.id
      ) as lines
    from page
    order by page.id desc
  `.execute(db);
  return rows;
}
