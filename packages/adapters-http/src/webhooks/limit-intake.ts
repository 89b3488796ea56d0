import type { Stores } from '@handover/domain';

/** Shops give up after five seconds; what is left is for the way there and back. */
const WAIT_TIMEOUT_MS = 4_000;
/** Deliveries are recorded many at a time, so less than this says nothing of how fast that is. */
const MIN_OBSERVED_MS = 1_000;
/** So long the database may stand still, as for a checkpoint, before it is taken for stuck. */
const STALLED_AFTER_MS = 2_000;
/** While others are refused, so often one is let in. Without it nobody would learn that the others were stuck alone. */
const TRY_EVERY_MS = 500;

/** What was seen of the requests that wait to be recorded. */
interface Load {
  readonly waiting: number;
  /** Those that were recorded within `observedMs`, all the while at least one waited. */
  readonly recorded: number;
  readonly observedMs: number;
}

/** Whether a request that comes now is recorded while its sender still waits, if all goes on as it went lately. */
export function canRecordInTime(load: Load): boolean {
  const { waiting, recorded, observedMs } = load;
  if (waiting === 0 || observedMs < MIN_OBSERVED_MS) return true;
  if (recorded === 0) return !isStalled(load);
  return ((waiting + 1) / recorded) * observedMs <= WAIT_TIMEOUT_MS;
}

function isStalled({ waiting, recorded, observedMs }: Load): boolean {
  return waiting > 0 && recorded === 0 && observedMs > STALLED_AFTER_MS;
}

/** The webhooks of this process that wait for the database. */
export interface IntakeLimit {
  /** Whether the request that asks may be read: one that cannot be recorded in time is better sent again later. */
  admits(): boolean;
  /** Whether requests wait, and none was recorded for a while. */
  isStalled(): boolean;
  countWaiting(): number;
  /** Stores whose recordings are counted. */
  watch<Recording extends Pick<Stores, 'deliveries' | 'unassigned'>>(stores: Recording): Recording;
}

/** `now` is in milliseconds, by a clock that nobody sets. */
export function createIntakeLimit(now: () => number = () => performance.now()): IntakeLimit {
  let waiting = 0;
  let recorded = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  const mark = () => ({ at: now(), recorded });
  // The load is observed from `base` on. It follows `next`, so it is one to two times `MIN_OBSERVED_MS` old.
  let base = mark();
  let next = base;

  return {
    admits: () => {
      if (canRecordInTime(observe())) return true;
      if (now() - triedAt < TRY_EVERY_MS) return false;
      triedAt = now();
      return true;
    },
    isStalled: () => isStalled(observe()),
    countWaiting: () => waiting,
    watch: (stores) => ({
      ...stores,
      deliveries: { ...stores.deliveries, record: (recording) => count(stores.deliveries.record(recording)) },
      unassigned: { ...stores.unassigned, record: (...given) => count(stores.unassigned.record(...given)) },
    }),
  };

  function observe(): Load {
    const load = { waiting, recorded: recorded - base.recorded, observedMs: now() - base.at };
    // A standstill is observed for as long as it lasts.
    if (now() - next.at >= MIN_OBSERVED_MS && recorded > base.recorded) {
      base = next;
      next = mark();
    }
    return load;
  }

  /** Counts a request for as long as its recording goes on, even if its sender has been answered meanwhile. */
  async function count<Result>(recording: Promise<Result>): Promise<Result> {
    if (waiting === 0) {
      base = mark();
      next = base;
    }
    waiting += 1;
    try {
      const result = await recording;
      recorded += 1;
      return result;
    } finally {
      waiting -= 1;
    }
  }
}
