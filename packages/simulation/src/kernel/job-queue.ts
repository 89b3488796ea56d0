import type { Job } from '@handover/domain';
import type { SimulatedProcess } from './process.ts';

/** A job whose worker is silent for this long is given to another worker: its process counts as dead. */
const HEARTBEAT_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
const LOOK_EVERY_MS = 500;

/** The queue as workers see it: any of them may die during a job, which another one then runs again. */
export interface JobQueue {
  /** When the next job can be claimed; infinite if there is none. */
  nextAt(now: number): number;
  /** One of the due jobs that no living worker runs. */
  claim(worker: SimulatedProcess, now: number, choose: (count: number) => number): ClaimedJob | null;
  /** Lets another worker claim a running job, as if its worker were silent. */
  release(choose: (count: number) => number): Job | null;
}

export interface ClaimedJob {
  readonly job: Job;
  complete(): void;
  /** Not before the workers look for jobs again: a worker whose clock is behind would claim it in a busy loop. */
  postpone(until: Date, now: number): void;
  /** After a pause that grows with each failure. */
  fail(now: number): void;
}

interface Claim {
  readonly job: Job;
  readonly worker: SimulatedProcess;
  readonly claimedAt: number;
}

interface Pause {
  readonly job: Job;
  readonly until: number;
  readonly failures: number;
}

/** `jobs`: the map of queued jobs of the in-memory stores. */
export function createJobQueue(jobs: Map<string, Job>): JobQueue {
  const claims = new Map<string, Claim>();
  const pauses = createPauses();

  /** When the job can be claimed: once it is due, and once the worker that holds it counts as dead. */
  const readyAt = (key: string, job: Job, now: number): number => {
    const dueAt = pauses.find(key, job)?.until ?? job.startAfter.getTime();
    const claim = claims.get(key);
    if (claim?.job !== job) return dueAt;
    const isHeard = claim.worker.isAlive && claim.worker.frozenUntil <= now;
    return isHeard ? Number.POSITIVE_INFINITY : Math.max(dueAt, claim.claimedAt + HEARTBEAT_MS);
  };
  const pick = (candidates: readonly (readonly [string, Job])[], choose: (count: number) => number) =>
    candidates.length === 0 ? undefined : candidates[choose(candidates.length)];

  return {
    nextAt: (now) => {
      let soonest = Number.POSITIVE_INFINITY;
      for (const [key, job] of jobs) soonest = Math.min(soonest, readyAt(key, job, now));
      return soonest;
    },
    claim: (worker, now, choose) => {
      const found = pick(
        [...jobs].filter(([key, job]) => readyAt(key, job, now) <= now),
        choose,
      );
      if (!found) return null;
      const [key, job] = found;
      const claim: Claim = { job, worker, claimedAt: now };
      claims.set(key, claim);
      // The result of a job that was claimed or queued again meanwhile changes neither.
      const end = (change: () => void): void => {
        if (claims.get(key) !== claim) return;
        claims.delete(key);
        if (jobs.get(key) === job) change();
      };
      return {
        job,
        complete: () => end(() => jobs.delete(key)),
        postpone: (until, time) =>
          end(() => pauses.set(key, job, Math.max(until.getTime(), time + LOOK_EVERY_MS))),
        fail: (time) => end(() => pauses.lengthen(key, job, time)),
      };
    },
    release: (choose) => {
      const [key, job] =
        pick(
          [...jobs].filter(([name, waiting]) => claims.get(name)?.job === waiting),
          choose,
        ) ?? [];
      if (key === undefined || job === undefined) return null;
      claims.delete(key);
      return job;
    },
  };
}

/** The pauses of jobs. A job that was queued again has none. */
function createPauses() {
  const pauses = new Map<string, Pause>();
  const find = (key: string, job: Job): Pause | undefined => {
    const pause = pauses.get(key);
    return pause?.job === job ? pause : undefined;
  };
  return {
    find,
    set: (key: string, job: Job, until: number): void => void pauses.set(key, { job, until, failures: 0 }),
    lengthen: (key: string, job: Job, now: number): void => {
      const failures = 1 + (find(key, job)?.failures ?? 0);
      pauses.set(key, { job, until: now + Math.min(MAX_PAUSE_MS, 1000 * 2 ** failures), failures });
    },
  };
}
