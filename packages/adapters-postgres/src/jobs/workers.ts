import { randomUUID } from 'node:crypto';
import { type Clock, type Job, type JobAnswer, NO_ORGANISATION } from '@handover/domain';
import { isStoreUnavailable, isTimeLimit } from '../database/store-errors.ts';
import {
  claimJobs,
  type LeasedJob,
  type Query,
  RENEW_EVERY_MS,
  type RunOutcome,
  renewLeases,
} from './job-leases.ts';
import {
  JOB_KINDS,
  type JobHandlers,
  LANE_SIZES,
  type Lane,
  lanesOf,
  NOTHING_RESERVED,
  type RemovedJob,
  type Reservation,
  readJob,
  toJobRow,
} from './job-outbox.ts';
import type { QuietLog } from './quiet-log.ts';
import { RETURNED, recordRuns } from './record-runs.ts';

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
const REST_MS = 100;
const OUTAGE_REST_MS = 1_000;
/** The share of each lane's size while the process is pressed. It is at least one job, because each size is a multiple of four. */
const PRESSED_SHARE = 1 / 4;
/** The lanes without reservations while the process is pressed: a new order does not run before those that were queued earlier. */
const WAITS_FOR_LOOKS: ReadonlySet<Lane> = new Set(['orders']);
/** The share of a lane's size up to which jobs are reserved while queued ones wait for room. The rest is left to those. */
const SHARE_BESIDE_OTHERS = 1 / 2;

interface Options {
  readonly query: Query;
  readonly handlers: Partial<JobHandlers>;
  readonly log: QuietLog;
  readonly clock: Clock;
  /** Whether this process has work with priority over jobs. */
  readonly isPressed: () => boolean;
}

interface LaneState {
  readonly lane: Lane;
  readonly running: Map<LeasedJob, Promise<void>>;
  /** The number of jobs whose transaction has not committed yet, but that have their room. */
  reserved: number;
  /** Those of `running` that were reserved. */
  readonly startedAtOnce: Set<LeasedJob>;
  afterOrg: string;
  /** Whether the last look left jobs behind, as far as is known. */
  hasMore: boolean;
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
  const lanes = [...new Set(kinds.flatMap(lanesOf))].map(
    (lane): LaneState => ({
      lane,
      running: new Map(),
      reserved: 0,
      startedAtOnce: new Set(),
      afterOrg: NO_ORGANISATION,
      hasMore: false,
    }),
  );
  /** The reservations whose transaction has not ended yet. */
  const reserving = new Set<Promise<void>>();
  const runs = recordRuns(query);
  let isDraining = false;
  let isOver = false;
  let looking: Promise<void> | null = null;
  let isWanted = false;

  const look = (): void => {
    isWanted = true;
    looking ??= lookOn().finally(() => {
      looking = null;
    });
  };
  const looks = setInterval(look, LOOK_EVERY_MS);
  const renewals = setInterval(() => {
    renewLeases(query, listRunning()).catch((error) => log.error(error));
  }, RENEW_EVERY_MS);
  look();

  return {
    reserve,
    wake: (jobs) => {
      const now = clock.now();
      if (jobs.some(({ kind, startAfter }) => startAfter <= now && handlers[kind])) lookUnlessPressed();
    },
    drain: async () => {
      isDraining = true;
      clearInterval(looks);
      await looking;
      await waitForRuns();
      clearInterval(renewals);
    },
    announceRemoved: runs.announceRemoved,
    giveBack: async () => {
      clearInterval(renewals);
      isOver = true;
      await Promise.all(listRunning().map(runs.giveBack));
    },
  };

  function listRunning(): readonly LeasedJob[] {
    return lanes.flatMap(({ running }) => [...running.keys()]);
  }

  /** Repeated, because a job that ends may have queued and started others. */
  async function waitForRuns(): Promise<void> {
    while (!isOver && listRunning().length + reserving.size > 0) {
      await Promise.all([...reserving, ...lanes.flatMap(({ running }) => [...running.values()])]);
    }
  }

  function reserve(jobs: readonly Job[]): Reservation {
    if (isDraining) return NOTHING_RESERVED;
    const mayBeginOrders = !isPressed();
    const now = clock.now();
    const leaseId = randomUUID();
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
    if (reserved.size === 0) return NOTHING_RESERVED;
    const { promise: started, resolve: close } = Promise.withResolvers<void>();
    reserving.add(started);
    return {
      jobs: [...reserved.keys()],
      leaseId,
      start: (committed) => {
        for (const { state } of reserved.values()) state.reserved -= 1;
        for (const job of committed) {
          const { state, leased } = reserved.get(job) ?? {};
          // After the stop, leases are not renewed: another process takes the job when this one expires.
          if (!state || !leased || isOver) continue;
          state.startedAtOnce.add(leased);
          state.running.set(leased, run(state, leased));
        }
        reserved.clear();
        reserving.delete(started);
        close();
      },
    };
  }

  function chooseShare(): number {
    return isPressed() ? PRESSED_SHARE : 1;
  }

  function lookUnlessPressed(): void {
    if (!isPressed()) look();
  }

  async function lookOn(): Promise<void> {
    while (!isDraining && (isWanted || (lanes.some(mayTakeMore) && !isPressed()))) {
      isWanted = false;
      try {
        await lookOnce();
      } catch (error) {
        log.error(error);
        return;
      }
    }
  }

  async function lookOnce(): Promise<void> {
    const share = chooseShare();
    const turns = lanes
      .map((state) => ({ ...state, state, room: countRoomOfLook(state, share) }))
      .filter(({ room }) => room > 0);
    if (turns.length === 0) return;
    // Set before the claim, because a reservation that finds no room meanwhile sets it to true.
    for (const { state } of turns) state.hasMore = false;
    const jobs = await claimJobs(query, kinds, turns);
    for (const { state, room } of turns) {
      const claimed = jobs.filter(({ lane }) => lane === state.lane);
      // Less than at the beginning if jobs were reserved meanwhile.
      const left = Math.max(0, countRoom(state));
      state.afterOrg = findLastTurn(claimed, state.afterOrg);
      for (const job of claimed.slice(0, left)) state.running.set(job, run(state, job));
      for (const job of claimed.slice(left)) void putBack(job);
      if (isShareFull(claimed, room) || claimed.length > left) state.hasMore = true;
    }
  }

  /** Never rejects: if it cannot be put back, its lease expires. */
  async function putBack(job: LeasedJob): Promise<void> {
    await runs.giveBack(job).catch((error) => log.error(error));
  }

  /** Never rejects. */
  async function run(state: LaneState, job: LeasedJob): Promise<void> {
    runs.begin(job);
    // A look that began before the stop may lease jobs after it: they are returned for other processes.
    const outcome = isDraining && !state.startedAtOnce.has(job) ? RETURNED : await attempt(job);
    // The job was returned to the queue.
    if (isOver) return;
    try {
      await runs.end(job, outcome, () => isOver);
    } catch (error) {
      // Its lease expires, and the job runs again.
      log.error(error);
    }
    state.running.delete(job);
    state.startedAtOnce.delete(job);
    if (mayTakeMore(state)) lookUnlessPressed();
  }

  async function attempt(job: LeasedJob): Promise<RunOutcome> {
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
}

function countRoom({ lane, running, reserved }: LaneState, share = 1): number {
  return LANE_SIZES[lane] * share - running.size - reserved;
}

/** Jobs that were reserved do not count against the share of a look. */
function countRoomOfLook(state: LaneState, share: number): number {
  const looked = state.running.size - state.startedAtOnce.size;
  return Math.min(countRoom(state), LANE_SIZES[state.lane] * share - looked);
}

/** Whether a quarter of the lane is free: a look for a single job would not be worth its statement. */
function mayTakeMore(state: LaneState): boolean {
  return state.hasMore && countRoom(state) >= LANE_SIZES[state.lane] / 4;
}

/** An organisation that got its full share may have more. */
function isShareFull(claimed: readonly LeasedJob[], room: number): boolean {
  const counts = new Map<string, number>();
  for (const { orgId } of claimed) counts.set(orgId, (counts.get(orgId) ?? 0) + 1);
  const share = Math.max(1, Math.floor(room / Math.max(1, counts.size)));
  return [...counts.values()].some((count) => count >= share);
}

/** The organisation that comes last in the walk, which goes from the last turn to the end, then from the first one up to it. */
function findLastTurn(claimed: readonly LeasedJob[], afterOrg: string): string {
  const ids = claimed.map(({ orgId }) => orgId).sort();
  return ids.findLast((id) => id <= afterOrg) ?? ids.at(-1) ?? afterOrg;
}
