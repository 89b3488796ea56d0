import type { Clock, Job } from '@handover/domain';
import { type Query, RENEW_EVERY_MS, renewLeases } from './job-leases.ts';
import { JOB_KINDS, type JobHandlers, type RemovedJob, type Reservation } from './job-outbox.ts';
import { listRunning, openLanes } from './lanes.ts';
import { lookForJobs } from './look-for-jobs.ts';
import type { QuietLog } from './quiet-log.ts';
import { reserveRoom } from './reserve-room.ts';
import { runJobs, type Stop } from './run-jobs.ts';

export interface Workers {
  reserve(jobs: readonly Job[]): Reservation;
  wake(jobs: readonly Job[]): void;
  announceRemoved(jobs: readonly RemovedJob[]): void;
  /** Takes no more jobs. Resolves once running jobs are done. */
  drain(): Promise<void>;
  /** Returns the jobs that still run to the queue, for other processes. */
  giveBack(): Promise<void>;
}

const LOOK_EVERY_MS = 500;

interface Options {
  readonly query: Query;
  readonly handlers: Partial<JobHandlers>;
  readonly log: QuietLog;
  readonly clock: Clock;
  /** Whether this process has work with priority over jobs. */
  readonly isPressed: () => boolean;
}

/**
 * One look leases as many due jobs as this process has room for. They run concurrently, and the runs that ended meanwhile are
 * recorded together. It looks twice a second, when it is woken, and when a lane that had more jobs has room again: an empty
 * queue costs two statements a second, and a full one two for many jobs. While the process is pressed, it looks only twice a
 * second, for a quarter of the room, so that jobs continue slowly. It reserves as much for mails as before: to mail a receipt
 * right after its order was decided takes less work than to queue it and look for it later.
 */
export function startWorkers({ query, handlers, log, clock, isPressed }: Options): Workers {
  const kinds = JOB_KINDS.filter((kind) => handlers[kind]);
  const lanes = openLanes(kinds);
  const stop: Stop = { isDraining: false, isOver: false };
  const runs = runJobs({ query, handlers, log, stop, onRoom: () => looks.lookUnlessPressed() });
  const looks = lookForJobs({ query, kinds, lanes, runs, log, isPressed, stop });
  const { reserve, pending } = reserveRoom({ handlers, lanes, runs, clock, isPressed, stop });

  const looking = setInterval(looks.look, LOOK_EVERY_MS);
  const renewing = setInterval(() => {
    renewLeases(query, listRunning(lanes)).catch((error) => log.error(error));
  }, RENEW_EVERY_MS);
  looks.look();

  return {
    reserve,
    wake: (jobs) => {
      const now = clock.now();
      if (jobs.some(({ kind, startAfter }) => startAfter <= now && handlers[kind])) looks.lookUnlessPressed();
    },
    drain: async () => {
      stop.isDraining = true;
      clearInterval(looking);
      await looks.end();
      await waitForRuns();
      clearInterval(renewing);
    },
    announceRemoved: runs.announceRemoved,
    giveBack: async () => {
      clearInterval(renewing);
      stop.isOver = true;
      await Promise.all(listRunning(lanes).map(runs.giveBack));
    },
  };

  /** Repeated, because a job that ends may have queued and started others. */
  async function waitForRuns(): Promise<void> {
    while (!stop.isOver && listRunning(lanes).length + pending.size > 0) {
      await Promise.all([...pending, ...lanes.flatMap(({ running }) => [...running.values()])]);
    }
  }
}
