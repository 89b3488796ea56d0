import type { Clock } from '@handover/domain';
import type { Log } from '../database/connect-database.ts';
import { createPool, describePool, type PoolUse } from '../database/create-pool.ts';
import { queryPrepared, toParameter } from '../database/prepared.ts';
import { QUEUE_LIMITS } from '../database/purposes.ts';
import { asStoreError } from '../database/store-errors.ts';
import type { Query } from './job-leases.ts';
import {
  enqueueJobs,
  enqueueNewJobs,
  type JobHandlers,
  type JobOutbox,
  NOTHING_RESERVED,
} from './job-outbox.ts';
import { createQuietLog } from './quiet-log.ts';
import { removeDecidedJobs, removeSentJobs } from './remove-jobs.ts';
import { startWorkers, type Workers } from './workers.ts';

/** Jobs that survive a crash. A process that never calls `start` only queues them. */
export interface JobQueue extends JobOutbox {
  /**
   * Starts to work on the kinds of jobs that have a handler, several at once. Rejects when the database has not been
   * migrated or cannot be reached; it can be started again then.
   */
  start(handlers: Partial<JobHandlers>): Promise<void>;
  /** How busy the queue's own pool is. */
  pool(): PoolUse;
  /** Takes no more jobs and lets running jobs finish. A job that takes too long is left for another process. */
  stop(options?: { readonly withinMs?: number }): Promise<void>;
}

// The queue has its own connections, so that a busy pool does not delay jobs, nor jobs the requests: one connection looks for
// jobs, one renews leases, two end runs.
const STOP_WITHIN_MS = 20_000;
const GIVE_BACK_WITHIN_MS = 5_000;

/**
 * `clock` is the clock that jobs' times were read from: preferably the database's, by which they are leased.
 * `isPressed`: whether this process has work with priority over jobs.
 */
export function createJobQueue({
  url,
  log,
  clock = { now: () => new Date() },
  isPressed = () => false,
}: {
  readonly url: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly isPressed?: () => boolean;
}): JobQueue {
  const pool = createPool({ url, purpose: 'queue', limits: QUEUE_LIMITS, log });
  const query: Query = async (text, values) => {
    try {
      return await queryPrepared(pool, text, values.map(toParameter));
    } catch (error) {
      throw asStoreError(error);
    }
  };
  let workers: Workers | null = null;
  let stopping: Promise<void> | null = null;

  return {
    enqueue: enqueueJobs,
    enqueueNew: enqueueNewJobs,
    removeDecided: removeDecidedJobs,
    removeSent: removeSentJobs,
    announceRemoved: (jobs) => workers?.announceRemoved(jobs),
    reserve: (jobs) => workers?.reserve(jobs) ?? NOTHING_RESERVED,
    wake: (jobs) => workers?.wake(jobs),
    pool: () => describePool('queue', pool),
    start: async (handlers) => {
      await query('select from jobs limit 0', []);
      if (stopping) return;
      workers = startWorkers({ query, handlers, log: createQuietLog(log), clock, isPressed });
    },
    stop: ({ withinMs = STOP_WITHIN_MS } = {}) => {
      stopping ??= stop(withinMs);
      return stopping;
    },
  };

  async function stop(withinMs: number): Promise<void> {
    await within(withinMs, workers?.drain());
    // A hung database must not keep the process from ending.
    await within(
      GIVE_BACK_WITHIN_MS,
      Promise.resolve(workers?.giveBack())
        .catch(() => undefined)
        .then(() => pool.end()),
    );
    workers = null;
  }
}

async function within(milliseconds: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
