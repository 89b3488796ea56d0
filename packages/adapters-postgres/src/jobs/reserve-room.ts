import { randomUUID } from 'node:crypto';
import type { Clock, Job } from '@handover/domain';
import type { LeasedJob } from './job-leases.ts';
import { type JobHandlers, type Lane, NOTHING_RESERVED, type Reservation, toJobRow } from './job-outbox.ts';
import { countRoom, type LaneState } from './lanes.ts';
import type { JobRuns, Stop } from './run-jobs.ts';

interface Options {
  readonly handlers: Partial<JobHandlers>;
  readonly lanes: readonly LaneState[];
  readonly runs: JobRuns;
  readonly clock: Clock;
  readonly isPressed: () => boolean;
  readonly stop: Stop;
}

/** The lanes without reservations while the process is pressed: a new order does not run before those that were queued earlier. */
const WAITS_FOR_LOOKS: ReadonlySet<Lane> = new Set(['orders']);
/** The share of a lane's size up to which jobs are reserved while queued ones wait for room. The rest is left to those. */
const SHARE_BESIDE_OTHERS = 1 / 2;

/** Reserves room in the lanes for jobs that are about to be committed. */
export function reserveRoom(options: Options) {
  const { runs, stop } = options;
  /** The reservations whose transaction has not ended yet. */
  const pending = new Set<Promise<void>>();
  return {
    pending,
    reserve: (jobs: readonly Job[]): Reservation => {
      if (stop.isDraining) return NOTHING_RESERVED;
      const leaseId = randomUUID();
      const reserved = takeRoom(options, jobs, leaseId);
      if (reserved.size === 0) return NOTHING_RESERVED;
      const { promise: started, resolve: close } = Promise.withResolvers<void>();
      pending.add(started);
      return {
        jobs: [...reserved.keys()],
        leaseId,
        start: (committed) => {
          for (const { state } of reserved.values()) state.reserved -= 1;
          for (const job of committed) {
            const { state, leased } = reserved.get(job) ?? {};
            // After the stop, leases are not renewed: another process takes the job when this one expires.
            if (!state || !leased || stop.isOver) continue;
            state.startedAtOnce.add(leased);
            runs.start(state, leased);
          }
          reserved.clear();
          pending.delete(started);
          close();
        },
      };
    },
  };
}

function takeRoom({ handlers, lanes, clock, isPressed }: Options, jobs: readonly Job[], leaseId: string) {
  const mayBeginOrders = !isPressed();
  const now = clock.now();
  const reserved = new Map<Job, { readonly state: LaneState; readonly leased: LeasedJob }>();
  for (const job of jobs) {
    const { dueAt: _due, ...row } = toJobRow(job);
    const state = handlers[job.kind] && lanes.find(({ lane }) => lane === row.lane);
    if (!state || job.startAfter > now || (!mayBeginOrders && WAITS_FOR_LOOKS.has(row.lane))) continue;
    const hasRoom = countRoom(state, state.hasMore ? SHARE_BESIDE_OTHERS : 1) > 0;
    if (!hasRoom) {
      // A look takes it once there is room.
      state.hasMore = true;
      continue;
    }
    state.reserved += 1;
    reserved.set(job, { state, leased: { ...row, leaseId } });
  }
  return reserved;
}
