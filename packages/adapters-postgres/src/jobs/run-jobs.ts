import type { JobAnswer } from '@handover/domain';
import { isStoreUnavailable, isTimeLimit } from '../database/store-errors.ts';
import type { LeasedJob, Query, RunOutcome } from './job-leases.ts';
import { type JobHandlers, type RemovedJob, readJob } from './job-outbox.ts';
import { type LaneState, mayTakeMore } from './lanes.ts';
import type { QuietLog } from './quiet-log.ts';
import { RETURNED, recordRuns } from './record-runs.ts';

/** How far the stop of the workers has come. */
export interface Stop {
  /** No more jobs are taken. */
  isDraining: boolean;
  /** The jobs that still ran were returned to the queue. */
  isOver: boolean;
}

export interface JobRuns {
  /** Runs a job in its lane. */
  start(state: LaneState, job: LeasedJob): void;
  /** Returns a job to the queue. */
  giveBack(job: LeasedJob): Promise<void>;
  announceRemoved(jobs: readonly RemovedJob[]): void;
}

interface Options {
  readonly query: Query;
  readonly handlers: Partial<JobHandlers>;
  readonly log: QuietLog;
  readonly stop: Stop;
  /** Called when a lane that had more jobs has room again. */
  onRoom(): void;
}

const REST_MS = 100;
const OUTAGE_REST_MS = 1_000;

export function runJobs({ query, handlers, log, stop, onRoom }: Options): JobRuns {
  const records = recordRuns(query);
  return {
    start: (state, job) => void state.running.set(job, run(state, job)),
    giveBack: records.giveBack,
    announceRemoved: records.announceRemoved,
  };

  /** Never rejects. */
  async function run(state: LaneState, job: LeasedJob): Promise<void> {
    records.begin(job);
    // A look that began before the stop may lease jobs after it: they are returned for other processes.
    const outcome =
      stop.isDraining && !state.startedAtOnce.has(job) ? RETURNED : await attempt(handlers, job, log);
    // The job was returned to the queue.
    if (stop.isOver) return;
    try {
      await records.end(job, outcome, () => stop.isOver);
    } catch (error) {
      // Its lease expires, and the job runs again.
      log.error(error);
    }
    state.running.delete(job);
    state.startedAtOnce.delete(job);
    if (mayTakeMore(state)) onRoom();
  }
}

async function attempt(handlers: Partial<JobHandlers>, job: LeasedJob, log: QuietLog): Promise<RunOutcome> {
  try {
    const handle = handlers[job.kind] as (job: object) => Promise<JobAnswer>;
    const answer = await handle(readJob(job));
    if (answer === 'done') return { kind: 'done' };
    if (answer !== 'later') return { kind: 'again', at: answer.again, restMs: REST_MS };
    log.warn(`A job of ${job.kind} waits for a process that can do it; it is tried again`);
    return { kind: 'failed' };
  } catch (error) {
    log.error(error, { job: job.kind, ...readJob(job) });
    // During an outage every job fails, so this does not count as a failure of the job.
    const isOutage = isStoreUnavailable(error) && !isTimeLimit(error);
    return isOutage ? { kind: 'again', at: null, restMs: OUTAGE_REST_MS } : { kind: 'failed' };
  }
}
