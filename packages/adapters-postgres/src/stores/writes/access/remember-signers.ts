import type { Connection, Connections, Platform } from '@handover/domain';
import { createBatches, createTurns } from '../../../statements/batches.ts';

/** How long a change by another process may go unseen, where a recent answer is enough. */
const REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly listed: Promise<readonly Connection[] | null>;
  /** By the clock of those who ask. */
  readonly askedAt: Date;
}

/** Connections that are read once for many requests. */
export interface RememberedConnections extends Connections {
  /** Discards the organisation's entry, so that the next call reads it again. */
  forget(orgId: string): void;
}

/**
 * Every webhook needs the secrets of its platform, and they rarely change. A change through these stores is seen at
 * once, because they call `onChange`. An unknown organisation is not cached: it may be created, and strangers can
 * invent any number of them.
 */
export function rememberSigners(
  connections: Connections,
  onChange: (orgId: string) => void = () => undefined,
): RememberedConnections {
  // A map iterates its keys in insertion order: the first is the oldest.
  const remembered = new Map<string, Map<string, Remembered>>();
  const readNewest = readTogether(connections);
  const forget = (orgId: string) => void remembered.delete(orgId.toLowerCase());
  const forgetAfter = async <Result>(orgId: string, change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      // Also after an error: the commit may have succeeded without an answer.
      forget(orgId);
      onChange(orgId);
    }
  };

  return {
    ...connections,
    forget,
    list: (orgId, platform, now, seen = 'newest') => {
      if (seen === 'newest') return readNewest({ orgId, platform, now });
      const known = remembered.get(orgId.toLowerCase())?.get(platform);
      if (known && isRecent(known.askedAt, now)) return known.listed;
      const listed = connections.list(orgId, platform, now);
      remember(orgId.toLowerCase(), platform, { listed, askedAt: now });
      return listed;
    },
    replaceSecret: (change) => forgetAfter(change.orgId, connections.replaceSecret(change)),
    addSecret: (change) => forgetAfter(change.orgId, connections.addSecret(change)),
    setRules: (orgId, ...rest) => forgetAfter(orgId, connections.setRules(orgId, ...rest)),
    findOrAdd: (wanted) => forgetAfter(wanted.orgId, connections.findOrAdd(wanted)),
  };

  /** A read in progress counts as cached: concurrent callers share one statement. */
  function remember(orgId: string, platform: string, reading: Remembered): void {
    const platforms = remembered.get(orgId) ?? new Map<string, Remembered>();
    remembered.delete(orgId);
    remembered.set(orgId, platforms);
    platforms.set(platform, reading);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    const drop = () => {
      if (platforms.get(platform) === reading) platforms.delete(platform);
    };
    reading.listed.then((found) => {
      if (found === null) drop();
    }, drop);
  }
}

type Reading = Readonly<{ orgId: string; platform: Platform; now: Date }>;

const MAX_READ_AT_ONCE = 2;
const MAX_READERS = 1_000;

/** Concurrent callers that need the newest state of one platform share one statement, which began after they asked. */
function readTogether(connections: Connections): (reading: Reading) => Promise<readonly Connection[] | null> {
  return createBatches({
    keyOf: ({ orgId, platform }) => `${orgId.toLowerCase()} ${platform}`,
    maxItems: MAX_READERS,
    turns: createTurns(MAX_READ_AT_ONCE),
    run: async (readings) => {
      const last = readings.at(-1);
      const listed = last ? await connections.list(last.orgId, last.platform, last.now) : null;
      return readings.map(() => listed);
    },
  });
}

function isRecent(askedAt: Date, now: Date): boolean {
  const age = now.getTime() - askedAt.getTime();
  return age >= 0 && age < REMEMBERED_MS;
}
