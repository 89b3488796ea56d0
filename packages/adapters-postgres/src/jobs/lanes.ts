import { type Job, NO_ORGANISATION } from '@handover/domain';
import type { LeasedJob } from './job-leases.ts';
import { LANE_SIZES, type Lane, lanesOf } from './job-outbox.ts';

/** What this process runs of a lane. */
export interface LaneState {
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

export function openLanes(kinds: readonly Job['kind'][]): readonly LaneState[] {
  return [...new Set(kinds.flatMap(lanesOf))].map((lane) => ({
    lane,
    running: new Map(),
    reserved: 0,
    startedAtOnce: new Set(),
    afterOrg: NO_ORGANISATION,
    hasMore: false,
  }));
}

export function listRunning(lanes: readonly LaneState[]): readonly LeasedJob[] {
  return lanes.flatMap(({ running }) => [...running.keys()]);
}

export function countRoom({ lane, running, reserved }: LaneState, share = 1): number {
  return LANE_SIZES[lane] * share - running.size - reserved;
}

/** Jobs that were reserved do not count against the share of a look. */
export function countRoomOfLook(state: LaneState, share: number): number {
  const looked = state.running.size - state.startedAtOnce.size;
  return Math.min(countRoom(state), LANE_SIZES[state.lane] * share - looked);
}

/** Whether a quarter of the lane is free: a look for a single job would not be worth its statement. */
export function mayTakeMore(state: LaneState): boolean {
  return state.hasMore && countRoom(state) >= LANE_SIZES[state.lane] / 4;
}
