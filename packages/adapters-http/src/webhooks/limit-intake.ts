import { type DeliveryLog, DomainError, type Stores } from '@handover/domain';

/** Shops give up after five seconds; the rest of that time covers the network round trip. */
const WAIT_TIMEOUT_MS = 4_000;
/** Deliveries are recorded in batches, so a shorter observation says nothing about the rate. */
const MIN_OBSERVED_MS = 1_000;
/** The database may pause for this long, for example for a checkpoint, before it counts as stuck. */
const STALLED_AFTER_MS = 2_000;
/**
 * While other requests are refused, one is admitted at this interval. Only such a request can show that the
 * database has recovered.
 */
const TRY_EVERY_MS = 500;

/** The observed load: requests that wait to be recorded. */
interface Load {
  readonly waiting: number;
  /** Requests recorded within `observedMs`; at least one was waiting all that time. */
  readonly recorded: number;
  readonly observedMs: number;
}

/** Whether, at the recently observed rate, a new request is recorded before its sender gives up. */
export function canRecordInTime(load: Load): boolean {
  const { waiting, recorded, observedMs } = load;
  if (waiting === 0 || observedMs < MIN_OBSERVED_MS) return true;
  if (recorded === 0) return !isStalled(load);
  return ((waiting + 1) / recorded) * observedMs <= WAIT_TIMEOUT_MS;
}

function isStalled({ waiting, recorded, observedMs }: Load): boolean {
  return waiting > 0 && recorded === 0 && observedMs > STALLED_AFTER_MS;
}

/** Limits how many webhooks of this process wait for the database. */
export interface IntakeLimit {
  /** Whether the request may be read: one that cannot be recorded in time is better sent again later. */
  admits(): boolean;
  /** Whether requests are waiting and none was recorded for a while. */
  isStalled(): boolean;
  countWaiting(): number;
  /** Wraps the stores so that their recordings are counted. Those that may wait for a lock are limited by their bytes instead. */
  watch<Recording extends Pick<Stores, 'deliveries' | 'unassigned'>>(stores: Recording): Recording;
}

/** Bodies that wait for a lock stay in memory also after their senders have given up. */
const MAX_BYTES_BEHIND_LOCKS = 32 * 1024 * 1024;

/** Alerts and refunds wait for locks of their organisation, which say nothing about the database and the requests of others. */
function mayWaitForLock({ alerts = [], refunds = [] }: Parameters<DeliveryLog['record']>[0]): boolean {
  return alerts.length > 0 || refunds.length > 0;
}

/** `now` is a monotonic clock in milliseconds. */
export function createIntakeLimit(now: () => number = () => performance.now()): IntakeLimit {
  let waiting = 0;
  let recorded = 0;
  let triedAt = Number.NEGATIVE_INFINITY;
  const mark = () => ({ at: now(), recorded });
  // The load is measured since `base`, which trails `next`: it is one to two times `MIN_OBSERVED_MS` old.
  let base = mark();
  let next = base;
  const waitForLock = limitBytes(MAX_BYTES_BEHIND_LOCKS);

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
      deliveries: {
        ...stores.deliveries,
        record: (recording) => {
          const record = () => stores.deliveries.record(recording);
          if (mayWaitForLock(recording)) return waitForLock(recording.body.bytes.length, record);
          return count(record());
        },
      },
      unassigned: { ...stores.unassigned, record: (...given) => count(stores.unassigned.record(...given)) },
    }),
  };

  function observe(): Load {
    const load = { waiting, recorded: recorded - base.recorded, observedMs: now() - base.at };
    // During a standstill the observation window keeps growing.
    if (now() - next.at >= MIN_OBSERVED_MS && recorded > base.recorded) {
      base = next;
      next = mark();
    }
    return load;
  }

  /** Counts a request until its recording ends, even if its sender was answered before that. */
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

/** Runs work while the bytes of all together are within the limit. */
function limitBytes(maxBytes: number) {
  let inUse = 0;
  return async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    if (inUse + bytes > maxBytes)
      throw new DomainError('contended', 'Too many alerts or refunds wait for a lock.');
    inUse += bytes;
    try {
      return await work();
    } finally {
      inUse -= bytes;
    }
  };
}
