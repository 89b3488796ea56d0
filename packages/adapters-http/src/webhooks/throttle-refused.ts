import { MAX_REJECTED_PER_SOURCE } from '@handover/domain';
import type { HttpPorts } from '../http-ports.ts';
import { within } from '../system-timer.ts';

/**
 * How many requests from one network to one organisation may be refused per window. The first refusal
 * starts the window.
 */
export const MAX_REFUSALS = 100;
export const REFUSALS_WINDOW_MS = 5 * 60 * 1000;
/** How long a network is exempt, at least, after it sent a genuine request. */
const GENUINE_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** How often a process renews that exemption in the database. */
const GENUINE_AGAIN_MS = 24 * 60 * 60 * 1000;
/** The size of each map in memory. Evicted entries are read again from the counters in the database. */
const MAX_REMEMBERED = 10_000;
/** Per process: a flood must leave connections to genuine requests. */
const WRITES_AT_ONCE = 4;
const WAIT_MS = 500;

/** The request was not checked, because too many requests from its network were refused. */
export interface Throttled {
  readonly kind: 'throttled';
  readonly until: Date;
  /**
   * What is still recorded: `kept` to be verified later, `counted` only, or nothing. `not`: the
   * organisation was not looked up, and strangers can invent any number of ids.
   */
  readonly noted: 'kept' | 'counted' | 'not';
}

interface Refusals {
  /** Refusals of all processes, as last read from the database. */
  counted: number;
  /** Refusals of this process that are not written yet. */
  uncounted: number;
  endsAt: number;
  isWriting: boolean;
  kept: number;
  /** Read once per window, and only when the limit is reached; null: not read yet. */
  isGenuineSource: Promise<boolean> | null;
}

type Outcome = { readonly kind: string; readonly notSetUp?: true };

type Ports = Pick<HttpPorts, 'clock' | 'throttles' | 'sourceFingerprints'>;

/**
 * Runs a webhook request unless too many requests from its network to the same organisation were refused.
 * Only refusals count, so that other senders are not affected. A network that sent a genuine request to the
 * organisation within 30 days is not throttled there: it may be a vendor or a proxy that others share. Below the
 * limit, the check uses only what this process remembers.
 */
export function createRefusalThrottle(
  ports: Ports,
): <T extends Outcome>(
  orgId: string | undefined,
  network: string,
  run: () => Promise<T>,
) => Promise<T | Throttled> {
  const refusals = createRefusalCounter(ports);
  const genuine = createGenuineSources(ports);
  const organisations = createBoundedMap<true>(MAX_REMEMBERED);

  return async (given, network, run) => {
    // The shared address names no organisation.
    if (given === undefined) return run();
    const orgId = given.toLowerCase();
    const source = `${orgId} ${network}`;
    const throttled = (await throttleSource(source)) ?? throttleStranger(orgId, network);
    if (throttled) return throttled;

    const outcome = await run();
    if (outcome.kind === 'unknown-organisation') await refusals.count(network);
    // While the database is away, nobody looked it up.
    else if (outcome.kind !== 'not-recorded') organisations.set(orgId, true);
    if (outcome.kind === 'refused' && !outcome.notSetUp) await refusals.count(source);
    if (GENUINE_KINDS.has(outcome.kind)) genuine.remember(source);
    return outcome;
  };

  async function throttleSource(source: string): Promise<Throttled | null> {
    const open = refusals.findOpen(source);
    if (!open || isWithinLimit(open)) return null;
    open.isGenuineSource ??= genuine.has(source).catch(() => {
      // Without this answer nothing can be verified either, so the sender gets 503 and tries again. It is asked for anew.
      open.isGenuineSource = null;
      return true;
    });
    if (await open.isGenuineSource) return null;
    open.kept += 1;
    return throttle(open, open.kept <= MAX_REJECTED_PER_SOURCE ? 'kept' : 'counted');
  }

  /** A network that guesses organisation ids can still reach the organisations that this process knows. */
  function throttleStranger(orgId: string, network: string): Throttled | null {
    const open = organisations.get(orgId) ? undefined : refusals.findOpen(network);
    return !open || isWithinLimit(open) ? null : throttle(open, 'not');
  }
}

/** Counts the refusals of each source, in memory and for all processes in the database. */
function createRefusalCounter(ports: Ports) {
  const refusals = createBoundedMap<Refusals>(MAX_REMEMBERED);
  let writing = 0;
  return { findOpen, count };

  function findOpen(source: string): Refusals | undefined {
    const found = refusals.get(source);
    return found && found.endsAt > ports.clock.now().getTime() ? found : undefined;
  }

  /** At most one write per source is in progress: refusals in the meantime are counted with the next one. */
  async function count(source: string): Promise<void> {
    const now = ports.clock.now();
    const open = findOpen(source) ?? refusals.set(source, openWindow(now));
    if (!isWithinLimit(open)) return;
    open.uncounted += 1;
    if (open.isWriting || writing >= WRITES_AT_ONCE) return;
    open.isWriting = true;
    writing += 1;
    const more = open.uncounted;
    const counting = ports.throttles
      .count(`refused ${fingerprint(ports, source)}`, REFUSALS_WINDOW_MS, now, more)
      .then(({ tries, windowEndsAt }) => {
        open.uncounted -= more;
        open.counted = tries;
        open.endsAt = windowEndsAt.getTime();
      })
      // These refusals stay uncounted until the next write.
      .catch(() => undefined)
      .finally(() => {
        open.isWriting = false;
        writing -= 1;
      });
    await within(WAIT_MS, counting);
  }
}

/** Remembers which sources sent a genuine request, in memory and for all processes in the database. */
function createGenuineSources(ports: Ports) {
  const renewAt = createBoundedMap<number>(MAX_REMEMBERED);
  const isRemembered = (source: string, now: Date) => (renewAt.get(source) ?? 0) > now.getTime();
  // A counter ends a fixed time after its first delivery, so each period has its own, and a later delivery still counts.
  const periodOf = (now: Date) => Math.floor(now.getTime() / GENUINE_FOR_MS);
  const nameGenuine = (source: string, period: number) => `genuine ${period} ${fingerprint(ports, source)}`;
  return {
    remember: (source: string): void => {
      const now = ports.clock.now();
      if (isRemembered(source, now)) return;
      const nextPeriodAt = (periodOf(now) + 1) * GENUINE_FOR_MS;
      renewAt.set(source, Math.min(now.getTime() + GENUINE_AGAIN_MS, nextPeriodAt));
      // The answer does not wait for this write. If it fails, the next delivery tries again.
      ports.throttles
        .count(nameGenuine(source, periodOf(now)), 2 * GENUINE_FOR_MS, now)
        .catch(() => renewAt.delete(source));
    },
    has: async (source: string): Promise<boolean> => {
      const now = ports.clock.now();
      if (isRemembered(source, now)) return true;
      const period = periodOf(now);
      const [current, former] = await Promise.all(
        [period, period - 1].map((one) => ports.throttles.find(nameGenuine(source, one), now)),
      );
      return current != null || former != null;
    },
  };
}

function fingerprint({ sourceFingerprints }: Ports, source: string): string {
  const [orgId = '', network = ''] = source.includes(' ') ? source.split(' ') : ['', source];
  return sourceFingerprints.make(orgId, network);
}

/** Only a request verified by a secret has one of these outcomes. */
const GENUINE_KINDS: ReadonlySet<string> = new Set(['recorded', 'unreadable', 'right']);

function openWindow(now: Date): Refusals {
  const endsAt = now.getTime() + REFUSALS_WINDOW_MS;
  return { counted: 0, uncounted: 0, endsAt, isWriting: false, kept: 0, isGenuineSource: null };
}

function isWithinLimit({ counted, uncounted }: Refusals): boolean {
  return counted + uncounted < MAX_REFUSALS;
}

function throttle({ endsAt }: Refusals, noted: Throttled['noted']): Throttled {
  return { kind: 'throttled', until: new Date(endsAt), noted };
}

/** Keeps the most recently used entries up to a maximum, so that strangers cannot make it grow. */
export function createBoundedMap<Value>(maxSize: number) {
  const values = new Map<string, Value>();
  const set = (key: string, value: Value): Value => {
    values.delete(key);
    values.set(key, value);
    // A Map iterates over its keys in insertion order.
    const [oldest] = values.keys();
    if (values.size > maxSize && oldest !== undefined) values.delete(oldest);
    return value;
  };
  return {
    set,
    get: (key: string): Value | undefined => {
      const value = values.get(key);
      return value === undefined ? undefined : set(key, value);
    },
    delete: (key: string): void => {
      values.delete(key);
    },
    size: (): number => values.size,
  };
}
