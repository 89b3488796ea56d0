import { randomUUID } from 'node:crypto';
import type { FulfilmentJob, FulfilmentStore, LeasedJob } from '@handover/domain';
import { sql } from 'kysely';
import type { Database } from '../database/connect-database.ts';
import type { Db } from '../database/schema.ts';
import {
  enqueueJobs,
  enqueueNewJobs,
  type JobKey,
  type JobOutbox,
  NOTHING_RESERVED,
  toJob,
  toJobRow,
} from '../jobs/job-outbox.ts';
import { removeDecidedJobs, removeSentJobs } from '../jobs/remove-jobs.ts';
import { createClaimLeases } from './writes/email/claim-leases.ts';
import { createPostgresOutgoingEmails } from './writes/email/outgoing-emails.ts';
import { createPostgresDeliveryLog } from './writes/fulfilment/delivery-log.ts';
import { createPostgresFulfilment } from './writes/fulfilment/fulfilment.ts';

/**
 * A FulfilmentStore on a PostgreSQL database, which must have been migrated: for `createFulfilment` of @handover/domain,
 * which takes its jobs one by one. It measures claims of receipts by the database's clock. Workers of a `JobQueue` may
 * run beside it, also in other processes.
 */
export function createFulfilmentStore({ db }: Pick<Database, 'db'>): FulfilmentStore {
  const { record, find } = createPostgresDeliveryLog(db, OUTBOX);
  return {
    record,
    find,
    ...createPostgresFulfilment(db, OUTBOX),
    ...createPostgresOutgoingEmails(db, OUTBOX, createClaimLeases()),
    takeJob: (now, leasedUntil) => takeDueJob(db, now, leasedUntil),
    endJob: (leased, again) => endDueJob(db, leased, again),
  };
}

/** There are no workers to wake: jobs are found by `takeJob`. */
const OUTBOX: JobOutbox = {
  enqueue: enqueueJobs,
  enqueueNew: enqueueNewJobs,
  removeDecided: removeDecidedJobs,
  removeSent: removeSentJobs,
  announceRemoved: () => undefined,
  reserve: () => NOTHING_RESERVED,
  wake: () => undefined,
};

/**
 * Leases the job of a FulfilmentStore that has been due longest. A job that was queued again during its run is due at its new
 * time, even if its former lease has not ended. Skips jobs that another process is leasing at this moment.
 */
async function takeDueJob(db: Db, now: Date, leasedUntil: Date): Promise<LeasedJob | null> {
  const leaseId = randomUUID();
  const { rows } = await sql<JobKey & { readonly attempts: number; readonly startAfter: Date }>`
    update jobs set lease_id = ${leaseId}::uuid, lease_until = ${leasedUntil}, again_at = null
    where ctid = any(array(
      select ctid from jobs
      where lane in ('orders', 'reruns', 'receipts') and kind not in ('release-entries', 'run-bulk-action') and (
        (lease_id is null and due_at <= ${now}) or (lease_id is not null and least(lease_until, again_at) <= ${now})
      )
      order by least(due_at, again_at) limit 1
      for update skip locked
    ))
    returning kind, org_id as "orgId", subject, attempts, due_at as "startAfter"
  `.execute(db);
  const [row] = rows;
  if (!row) return null;
  return { job: toJob({ ...row, emailKind: 'receipt' }) as FulfilmentJob, leaseId };
}

/** Ends only this lease. A job that was queued again since then stays in the queue, due at its new time at the latest. */
async function endDueJob(db: Db, { job, leaseId }: LeasedJob, again: Date | null): Promise<void> {
  const { kind, orgId, subject } = toJobRow(job);
  const isHeld = sql`
    kind = ${kind} and subject = ${subject} and org_id = ${orgId} and lease_id::text = ${leaseId}`;
  await sql`
    with kept as (
      update jobs set
        due_at = least(again_at, ${again}::timestamptz), again_at = null, lease_id = null, lease_until = null
      where ${isHeld} and (again_at is not null or ${again}::timestamptz is not null)
    )
    delete from jobs where ${isHeld} and again_at is null and ${again}::timestamptz is null
  `.execute(db);
}
