import type { Job } from '@handover/domain';
import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What the stores need of the queue: jobs that come to be, and go, with the transaction that they belong to.
 */
export interface JobOutbox {
  enqueue(trx: Transaction<Schema>, jobs: readonly Job[]): Promise<void>;
  /** Takes the delivery's own job off the queue, whoever is at it. */
  forget(trx: Transaction<Schema>, deliveryId: string): Promise<void>;
  /** Those of the jobs that no job is about, waiting or running: nobody will do what they are for. */
  findLost(jobs: readonly Job[]): Promise<readonly Job[]>;
  /**
   * Says that these jobs were committed, so that workers of this process need not wait for their next look.
   */
  wake(jobs: readonly Job[]): void;
}
