import { setTimeout as pause } from 'node:timers/promises';
import { createBatches, createTurns } from '../statements/batches.ts';
import { endRuns, type LeasedJob, type Query, type RunOutcome } from './job-leases.ts';
import { nameRow, type RemovedJob } from './job-outbox.ts';

export const RETURNED: RunOutcome = { kind: 'returned' };

const MAX_ENDED_AT_ONCE = 500;
/** Before a locked row is tried again. */
const REST_MS = 100;

/**
 * Records how the runs of a process ended: together if they end at the same time, and not at all if their own transaction removed
 * the job.
 */
export function recordRuns(query: Query) {
  const end = createBatches<{ readonly job: LeasedJob; readonly outcome: RunOutcome }, 'ended' | 'locked'>({
    keyOf: ({ job }) => job.kind,
    // A job that is returned while it ends has ended.
    subjectsOf: ({ job }) => [`${job.subject} ${job.orgId}`],
    maxItems: MAX_ENDED_AT_ONCE,
    turns: createTurns(2),
    run: (ended) => endRuns(query, ended),
  });
  /** Runs whose outcome is to be recorded, by lease: a job that is queued again meanwhile has another lease and another run. */
  const running = new Set<string>();

  return {
    begin: (job: LeasedJob): void => void running.add(nameRun(job)),
    /** Resolves once the outcome is recorded, or once `isOver` while the job's row is locked. */
    end: async (job: LeasedJob, outcome: RunOutcome, isOver: () => boolean): Promise<void> => {
      if (!running.delete(nameRun(job))) return;
      while ((await end({ job, outcome })) === 'locked' && !isOver()) await pause(REST_MS);
    },
    announceRemoved: (jobs: readonly RemovedJob[]): void => {
      for (const job of jobs) running.delete(nameRun(job));
    },
    giveBack: async (job: LeasedJob): Promise<void> => void (await end({ job, outcome: RETURNED })),
  };
}

function nameRun(job: RemovedJob): string {
  return `${nameRow(job)} ${job.leaseId}`;
}
