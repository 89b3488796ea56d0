import type { Job } from '@handover/domain';
import type { Trx } from '../database/schema.ts';

/** Jobs that workers of this process run as soon as they are committed. They are leased from the moment they are queued. */
export interface Reservation {
  readonly jobs: readonly Job[];
  readonly leaseId: string;
  /** Runs those of the jobs that were committed, and frees the room of the others. Call it always: a stop waits for it. */
  start(committed: readonly Job[]): void;
}

export const NOTHING_RESERVED: Reservation = { jobs: [], leaseId: '', start: () => undefined };

/** What the stores need of the queue: jobs are added and removed in the transaction that they belong to. */
export interface JobOutbox {
  /**
   * There is one job per kind and subject. A waiting job becomes due at the earlier of both times. A running job runs
   * once more after it ends, because it may have read the state before this transaction. Reserved jobs must be new.
   */
  enqueue(trx: Trx, jobs: readonly Job[], reservation?: Reservation): Promise<void>;
  /**
   * Reserves workers for those of these jobs that are due, as many as there is room for, before the transaction that
   * queues them begins. While others wait for room, most of it is theirs: organisations take turns.
   */
  reserve(jobs: readonly Job[]): Reservation;
  /**
   * Queues only jobs that are not queued yet, and returns their subjects. A concurrent transaction that queues the same job is
   * waited for: the unique key decides, also where the queue is on another node than the rows that the transaction has locked.
   */
  enqueueNew(trx: Trx, jobs: readonly Job[]): Promise<ReadonlySet<string>>;
  /** Removes the jobs that decide these deliveries from the queue, also when another process runs them. */
  forget(trx: Trx, orgId: string, deliveryIds: readonly string[]): Promise<void>;
  /** Announces that these jobs were committed, so that workers of this process need not wait for their next look. */
  wake(jobs: readonly Job[]): void;
}
