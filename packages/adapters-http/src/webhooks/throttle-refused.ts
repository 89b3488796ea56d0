import { MAX_REJECTED_PER_SOURCE } from '@handover/domain';
import type { HttpPorts } from '../http-ports.ts';
import { within } from '../system-timer.ts';

/** How many requests of one network to one organisation may be refused, in a window that begins with the first. */
export const MAX_REFUSALS = 100;
export const REFUSALS_WINDOW_MS = 5 * 60 * 1000;
/** How long a network that sent something genuine is spared. */
const GENUINE_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** How often a process writes down that it still does. */
const GENUINE_AGAIN_MS = 24 * 60 * 60 * 1000;
/** Of each kind that a process remembers. What it forgets, it learns again from the counters in the database. */
const MAX_REMEMBERED = 10_000;
/** Of each process: a flood must leave connections to genuine requests. */
const WRITES_AT_ONCE = 4;
const WAIT_MS = 500;

/** Not looked at: too much was refused of what came from there. */
export interface Throttled {
  readonly kind: 'throttled';
  readonly until: Date;
  /**
   * What to write down of it all the same: `kept`, to be verified later. `not`: nobody has looked whether its organisation
   * exists, and strangers can make up any number of them.
   */
  readonly noted: 'kept' | 'counted' | 'not';
}

interface Refusals {
  /** Those of all processes, as the database knows them. */
  counted: number;
  /** Those of this process that are not written yet. */
  uncounted: number;
  endsAt: number;
  isWriting: boolean;
  kept: number;
  /** Asked once for each window, and only when the limit is reached. */
  isGenuineSource: Promise<boolean> | null;
}

type Outcome = { readonly kind: string; readonly notSetUp?: true };

/**
 * Runs what a webhook request asks for, unless too many from its network were refused for the same organisation. Only
 * refusals count, so nobody else's requests are affected; and a network that sent something genuine to the
 * organisation within 30 days is never throttled, for it may be a vendor's or a proxy that others share. A request is
 * checked by what this process remembers: the database is asked nothing before a secret has verified it.
 */
export function createRefusalThrottle(
  ports: Pick<HttpPorts, 'clock' | 'throttles' | 'sourceFingerprints'>,
): <T extends Outcome>(
  orgId: string | undefined,
  network: string,
  run: () => Promise<T>,
) => Promise<T | Throttled> {
  const refusals = createBoundedMap<Refusals>(MAX_REMEMBERED);
  const genuineUntil = createBoundedMap<number>(MAX_REMEMBERED);
  const organisations = createBoundedMap<true>(MAX_REMEMBERED);
  let writing = 0;

  return async (given, network, run) => {
    // The shared address names no organisation, and is verified without asking the database.
    if (given === undefined) return run();
    const orgId = given.toLowerCase();
    const source = `${orgId} ${network}`;
    const throttled = (await throttleSource(source)) ?? throttleStranger(orgId, network);
    if (throttled) return throttled;

    const outcome = await run();
    if (outcome.kind === 'unknown-organisation') await countRefusal(network);
    else organisations.set(orgId, true);
    if (outcome.kind === 'refused' && !outcome.notSetUp) await countRefusal(source);
    if (GENUINE_KINDS.has(outcome.kind)) rememberGenuine(source);
    return outcome;
  };

  async function throttleSource(source: string): Promise<Throttled | null> {
    const open = findOpen(source);
    if (!open || isWithinLimit(open)) return null;
    open.isGenuineSource ??= isGenuineSource(source);
    if (await open.isGenuineSource) return null;
    open.kept += 1;
    return throttle(open, open.kept <= MAX_REJECTED_PER_SOURCE ? 'kept' : 'counted');
  }

  /** A network that asks for organisations that do not exist still reaches those that this process knows. */
  function throttleStranger(orgId: string, network: string): Throttled | null {
    const open = organisations.get(orgId) ? undefined : findOpen(network);
    return !open || isWithinLimit(open) ? null : throttle(open, 'not');
  }

  function findOpen(source: string): Refusals | undefined {
    const found = refusals.get(source);
    return found && found.endsAt > ports.clock.now().getTime() ? found : undefined;
  }

  /** One write of a source at a time: what is refused meanwhile is counted with the next. */
  async function countRefusal(source: string): Promise<void> {
    const now = ports.clock.now();
    const open = findOpen(source) ?? refusals.set(source, openWindow(now));
    if (!isWithinLimit(open)) return;
    open.uncounted += 1;
    if (open.isWriting || writing >= WRITES_AT_ONCE) return;
    open.isWriting = true;
    writing += 1;
    const more = open.uncounted;
    const counting = ports.throttles
      .count(`refused ${fingerprint(source)}`, REFUSALS_WINDOW_MS, now, more)
      .then(({ tries, windowEndsAt }) => {
        open.uncounted -= more;
        open.counted = tries;
        open.endsAt = windowEndsAt.getTime();
      })
      // Those stay uncounted until the next write.
      .catch(() => undefined)
      .finally(() => {
        open.isWriting = false;
        writing -= 1;
      });
    await within(WAIT_MS, counting);
  }

  function rememberGenuine(source: string): void {
    const now = ports.clock.now();
    if ((genuineUntil.get(source) ?? 0) > now.getTime()) return;
    genuineUntil.set(source, now.getTime() + GENUINE_AGAIN_MS);
    // The answer does not wait for it. Where it fails, the next delivery tries again.
    ports.throttles
      .count(`genuine ${fingerprint(source)}`, GENUINE_FOR_MS, now)
      .catch(() => genuineUntil.delete(source));
  }

  async function isGenuineSource(source: string): Promise<boolean> {
    const now = ports.clock.now();
    if ((genuineUntil.get(source) ?? 0) > now.getTime()) return true;
    // Without its answer nothing can be verified either, so the sender is told to try again.
    return ports.throttles.find(`genuine ${fingerprint(source)}`, now).then(
      (found) => found !== null,
      () => true,
    );
  }

  function fingerprint(source: string): string {
    const [orgId = '', network = ''] = source.includes(' ') ? source.split(' ') : ['', source];
    return ports.sourceFingerprints.make(orgId, network);
  }
}

/** Only a secret brings these about. */
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

/** Remembers what was used last, up to a number, so that strangers cannot make it grow. */
export function createBoundedMap<Value>(maxSize: number) {
  const values = new Map<string, Value>();
  const set = (key: string, value: Value): Value => {
    values.delete(key);
    values.set(key, value);
    // A map lists its keys in the order in which they were set.
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
