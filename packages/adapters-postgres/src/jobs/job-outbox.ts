import type { Job } from '@handover/domain';
import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** What the stores need of the queue: jobs are added and removed in the transaction that they belong to. */
export interface JobOutbox {
  /**
   * There is one job per kind and subject. A waiting job becomes due at the earlier of both times. A running job runs
   * once more after it ends, because it may have read the state before this transaction.
   */
  enqueue(trx: Transaction<Schema>, jobs: readonly Job[]): Promise<void>;
  /** Removes the jobs that decide these deliveries from the queue, also when another process runs them. */
  forget(trx: Transaction<Schema>, orgId: string, deliveryIds: readonly string[]): Promise<void>;
  /** Announces that these jobs were committed, so that workers of this process need not wait for their next look. */
  wake(jobs: readonly Job[]): void;
}
