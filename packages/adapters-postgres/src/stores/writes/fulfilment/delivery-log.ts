import type { DeliveryLog, DeliveryRecording } from '@handover/domain';
import { normalizeEmail } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { transact } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { readDeliveryLog } from '../../reads/fulfilment/delivery-log.ts';
import { raiseAlert } from '../email/raise-alert.ts';
import { createTogetherRecorder, type RecordOutcome, recordAll } from './record-together.ts';
import { takeRejected } from './rejected-deliveries.ts';

export function createPostgresDeliveryLog(db: Db, jobs: JobOutbox): DeliveryLog {
  const recordTogether = createTogetherRecorder(db, jobs);
  return {
    ...readDeliveryLog(db),

    record: (recording) =>
      isAlone(recording) ? recordAlone(db, jobs, recording) : recordTogether(recording),

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

    addAddress: async (orgId, deliveryId, email) => {
      if (!areIds(orgId, deliveryId)) return false;
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set({ added_email: email, email_normalized: normalizeEmail(email) })
        .where('org_id', '=', orgId)
        .where('id', '=', deliveryId)
        .where('order_id', 'is not', null)
        .where('email_normalized', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/** What needs more than a request's own rows: it is rare. */
function isAlone({ rejectedId, alerts = [] }: DeliveryRecording): boolean {
  return rejectedId !== null || alerts.length > 0;
}

async function recordAlone(db: Db, jobs: JobOutbox, recording: DeliveryRecording): Promise<RecordOutcome> {
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
