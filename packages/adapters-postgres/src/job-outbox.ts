import type { Job } from '@handover/domain';
import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** What the stores need of the queue: jobs are added and removed in the transaction that they belong to. */
export interface JobOutbox {
  /**
   * Of each kind there is one job about a subject. One that waits already is due at the earlier of both times; one that
   * runs is run once more when it has ended, for it may have seen the world before this transaction.
   */
  enqueue(trx: Transaction<Schema>, jobs: readonly Job[]): Promise<void>;
  /** Takes the jobs that decide these deliveries off the queue, whoever is at them. */
  forget(trx: Transaction<Schema>, orgId: string, deliveryIds: readonly string[]): Promise<void>;
  /**
   * Says that these jobs were committed, so that workers of this process need not wait for their next look.
   */
  wake(jobs: readonly Job[]): void;
}
