import type { Job } from '@handover/domain';
import { claimJobs, type LeasedJob, type Query } from './job-leases.ts';
import { countRoom, countRoomOfLook, type LaneState, mayTakeMore } from './lanes.ts';
import type { QuietLog } from './quiet-log.ts';
import type { JobRuns, Stop } from './run-jobs.ts';

export interface Looks {
  /** Looks now, or once more after the look that is under way. */
  look(): void;
  lookUnlessPressed(): void;
  /** Resolves once no look is under way. */
  end(): Promise<void>;
}

interface Options {
  readonly query: Query;
  readonly kinds: readonly Job['kind'][];
  readonly lanes: readonly LaneState[];
  readonly runs: JobRuns;
  readonly log: QuietLog;
  readonly isPressed: () => boolean;
  readonly stop: Stop;
}

/** The share of each lane's size while the process is pressed. It is at least one job, because each size is a multiple of four. */
const PRESSED_SHARE = 1 / 4;

/** Leases due jobs and starts them, one look at a time. */
export function lookForJobs(options: Options): Looks {
  const { lanes, log, isPressed, stop } = options;
  let looking: Promise<void> | null = null;
  let isWanted = false;
  const look = (): void => {
    isWanted = true;
    looking ??= lookOn().finally(() => {
      looking = null;
    });
  };
  return {
    look,
    lookUnlessPressed: () => {
      if (!isPressed()) look();
    },
    end: async () => void (await looking),
  };

  async function lookOn(): Promise<void> {
    while (!stop.isDraining && (isWanted || (lanes.some(mayTakeMore) && !isPressed()))) {
      isWanted = false;
      try {
        await lookOnce(options);
      } catch (error) {
        log.error(error);
        return;
      }
    }
  }
}

async function lookOnce({ query, kinds, lanes, runs, log, isPressed }: Options): Promise<void> {
  const share = isPressed() ? PRESSED_SHARE : 1;
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
    for (const job of claimed.slice(0, left)) runs.start(state, job);
    // A job that cannot be given back runs again once its lease expires.
    for (const job of claimed.slice(left)) void runs.giveBack(job).catch((error) => log.error(error));
    if (isShareFull(claimed, room) || claimed.length > left) state.hasMore = true;
  }
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
