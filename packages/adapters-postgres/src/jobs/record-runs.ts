import { setTimeout as pause } from 'node:timers/promises';
import { createBatches, createTurns } from '../statements/batches.ts';
import { endRuns, type LeasedJob, type Query, type RunOutcome } from './job-leases.ts';
import { type JobKey, nameRow } from './job-outbox.ts';

/** The run of one job, from its begin to the record of its outcome. Exactly one of the two must be called. */
export interface RunRecord {
  /** Resolves once the outcome is recorded, or once `isOver` while the job's row is locked. */
  end(outcome: RunOutcome, isOver: () => boolean): Promise<void>;
  /** The outcome is not recorded. */
  drop(): void;
}

export const RETURNED: RunOutcome = { kind: 'returned' };

const MAX_ENDED_AT_ONCE = 500;
/** Before a locked row is tried again. */
const REST_MS = 100;

/**
 * Records how the runs of a process ended: those that end at the same time together, and those whose job was removed by
 * their own transaction not at all.
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
  /** Of two runs of one job, the one that began last. */
  const running = new Map<string, LeasedJob>();
  const removed = new WeakSet<LeasedJob>();

  return {
    begin: (job: LeasedJob): RunRecord => {
      const name = nameRow(job);
      running.set(name, job);
      const drop = (): void => {
        if (running.get(name) === job) running.delete(name);
      };
      return {
        drop,
        end: async (outcome, isOver) => {
          drop();
          if (removed.has(job)) return;
          while ((await end({ job, outcome })) === 'locked' && !isOver()) await pause(REST_MS);
        },
      };
    },
    announceRemoved: (jobs: readonly JobKey[]): void => {
      for (const key of jobs) {
        const job = running.get(nameRow(key));
        if (job) removed.add(job);
      }
    },
    giveBack: async (job: LeasedJob): Promise<void> => void (await end({ job, outcome: RETURNED })),
  };
}
