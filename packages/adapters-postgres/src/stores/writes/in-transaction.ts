import type { Job, Stores } from '@handover/domain';
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { runTransaction } from '../../database/transact.ts';
import type { JobOutbox } from '../../jobs/job-outbox.ts';

/**
 * Runs the work with stores on one transaction. Workers are woken after the commit: earlier they would find nothing.
 */
export async function inTransaction<Result>(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  openStores: (db: Kysely<Schema>, jobs: JobOutbox) => Stores,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const due: Job[] = [];
  const outbox: JobOutbox = { ...jobs, wake: (committed) => due.push(...committed) };
  const result = await runTransaction(db, (trx) => work(openStores(trx, outbox)));
  jobs.wake(due);
  return result;
}
