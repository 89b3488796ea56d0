import type { FulfilmentStore } from '@handover/domain';
import type { Database } from '../database/connect-database.ts';
import { endDueJob, takeDueJob } from '../jobs/due-job.ts';
import { type JobOutbox, NOTHING_RESERVED } from '../jobs/job-outbox.ts';
import { enqueueJobs, enqueueNewJobs, forgetJobs } from '../jobs/job-rows.ts';
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

/** Nobody waits for jobs here: `takeJob` looks for them. */
const OUTBOX: JobOutbox = {
  enqueue: enqueueJobs,
  enqueueNew: enqueueNewJobs,
  forget: forgetJobs,
  reserve: () => NOTHING_RESERVED,
  wake: () => undefined,
};
