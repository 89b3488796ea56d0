import type { DeliveryListRow, DeliveryLog, DeliveryRecording } from '@handover/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { createDeliveryFinder } from '../../reads/fulfilment/find-delivery.ts';
import { openLogEntry } from '../../reads/fulfilment/open-log-entry.ts';
import {
  countDeliveries,
  listSources,
  searchDeliveries,
  selectNewest,
} from '../../reads/fulfilment/search-deliveries.ts';
import { raiseAlert } from '../email/raise-alert.ts';
import { createTogetherRecorder, type RecordOutcome, recordAll } from './record-together.ts';
import { takeRejected } from './rejected-deliveries.ts';

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
        // The entry is retried repeatedly: an unchanged row needs no new version.
        .where(sql<boolean>`reason is distinct from ${reason}`)
        .execute();
    },

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

/** What needs more than a request's own rows: it is rare. */
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
