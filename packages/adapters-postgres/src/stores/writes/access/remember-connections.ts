import type {
  Connection,
  Connections,
  Destination,
  Platform,
  SharedSecrets,
  WantedConnection,
} from '@handover/domain';
import { createBatches, createTurns } from '../../../statements/batches.ts';

/** How long a change by another process may go unseen, where a recent answer is enough. */
const REMEMBERED_MS = 2_000;
const MAX_REMEMBERED = 10_000;

/** Connections that are read once for many requests. */
interface RememberedConnections extends Connections {
  /** Discards the organisation's entry, so that the next call reads it again. */
  forget(orgId: string): void;
}

/**
 * Every webhook needs the secrets of its platform, or the connection that an event names, and they rarely change. A
 * change through these stores is seen at once, because they call `onChange`.
 */
export function rememberConnections(
  connections: Connections,
  onChange: (orgId: string) => void = () => undefined,
): RememberedConnections {
  const remembered = createMemory<readonly Connection[]>();
  const destinations = createMemory<Destination>();
  const readNewest = readTogether(connections);
  const forget = (orgId: string): void => {
    remembered.forget(orgId);
    destinations.forget(orgId);
  };
  const announceChange = (orgId: string): void => {
    forget(orgId);
    onChange(orgId);
  };
  // Also after an error: the commit may have succeeded without an answer.
  const forgetAfter = <Result>(orgId: string, change: Promise<Result>): Promise<Result> =>
    change.finally(() => announceChange(orgId));

  return {
    ...connections,
    forget,
    list: (orgId, platform, now, seen = 'newest') => {
      if (seen === 'newest') return readNewest({ orgId, platform, now });
      return remembered.recall(orgId, platform, now, () => connections.list(orgId, platform, now));
    },
    replaceSecret: (change) => forgetAfter(change.orgId, connections.replaceSecret(change)),
    addSecret: (change) => forgetAfter(change.orgId, connections.addSecret(change)),
    setRules: (orgId, ...rest) => forgetAfter(orgId, connections.setRules(orgId, ...rest)),
    findOrAdd: (wanted) =>
      destinations.recall(wanted.orgId, `${wanted.platform} ${wanted.name}`, wanted.now, () =>
        findOrAdd(wanted),
      ),
  };

  /** Announces a change only if the connection was added: nearly always it exists already. */
  async function findOrAdd(wanted: WantedConnection): Promise<Destination | null> {
    try {
      const found = await connections.findOrAdd(wanted);
      if (found?.connectionId === wanted.connectionId.toLowerCase()) announceChange(wanted.orgId);
      return found;
    } catch (error) {
      announceChange(wanted.orgId);
      throw error;
    }
  }
}

interface Remembered<Found> {
  readonly found: Promise<Found | null>;
  /** By the callers' clock. */
  readonly askedAt: Date;
}

/** Caches values for a while, by organisation and a key within it. */
export function createMemory<Found>() {
  // A map iterates its keys in insertion order: the first is the oldest.
  const remembered = new Map<string, Map<string, Remembered<Found>>>();
  return {
    forget: (orgId: string) => void remembered.delete(orgId.toLowerCase()),
    recall: (orgId: string, key: string, now: Date, find: () => Promise<Found | null>) => {
      const known = remembered.get(orgId.toLowerCase())?.get(key);
      if (known && isRecent(known.askedAt, now)) return known.found;
      const found = find();
      remember(orgId.toLowerCase(), key, { found, askedAt: now });
      return found;
    },
  };

  /**
   * A read in progress counts as remembered: concurrent callers share one statement. An unknown organisation is not
   * remembered: it may be created, and strangers can invent any number of them.
   */
  function remember(orgId: string, key: string, reading: Remembered<Found>): void {
    const ofOrganisation = remembered.get(orgId) ?? new Map<string, Remembered<Found>>();
    remembered.delete(orgId);
    remembered.set(orgId, ofOrganisation);
    ofOrganisation.set(key, reading);
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    const drop = () => {
      if (ofOrganisation.get(key) === reading) ofOrganisation.delete(key);
    };
    reading.found.then((found) => {
      if (found === null) drop();
    }, drop);
  }
}

type Reading = Readonly<{ orgId: string; platform: Platform; now: Date }>;

const MAX_READ_AT_ONCE = 2;
const MAX_READERS = 1_000;

/** Concurrent callers that need the newest state of one platform share one statement, which begins after each of them asked. */
function readTogether(connections: Connections): (reading: Reading) => Promise<readonly Connection[] | null> {
  return shareReads(
    MAX_READ_AT_ONCE,
    ({ orgId, platform }) => `${orgId.toLowerCase()} ${platform}`,
    ({ orgId, platform, now }) => connections.list(orgId, platform, now),
  );
}

/**
 * Concurrent callers share one read, with the arguments of the last of them. Only within a second: the time decides which
 * secrets have ended, and one caller also asks for those that have (`alertOfRejection`).
 */
function shareReads<Asked extends { readonly now: Date }, Found>(
  maxAtOnce: number,
  keyOf: (asked: Asked) => string,
  read: (last: Asked) => Promise<Found>,
): (asked: Asked) => Promise<Found> {
  return createBatches<Asked, Found>({
    keyOf: (asked) => `${keyOf(asked)} ${Math.floor(asked.now.getTime() / 1000)}`,
    maxItems: MAX_READERS,
    turns: createTurns(maxAtOnce),
    run: async (all) => {
      const found = await read(all.at(-1) as Asked);
      return all.map(() => found);
    },
  });
}

function isRecent(askedAt: Date, now: Date): boolean {
  const age = now.getTime() - askedAt.getTime();
  return age >= 0 && age < REMEMBERED_MS;
}

/** Announced instead of an organisation's id when the secrets of the shared platform changed. */
export const SHARED = 'shared';

/** Caches them as `rememberConnections` does: every event of the shared platform needs its secrets, and they rarely change. */
export function rememberSharedSecrets(
  sharedSecrets: SharedSecrets,
  onChange: () => void,
): SharedSecrets & { forget(): void } {
  const remembered = createMemory<Awaited<ReturnType<SharedSecrets['list']>>>();
  const forget = () => remembered.forget(SHARED);
  const readNewest = shareReads(
    1,
    () => SHARED,
    ({ now }: { readonly now: Date }) => sharedSecrets.list(now),
  );
  return {
    forget,
    list: async (now, seen = 'newest') =>
      seen === 'newest'
        ? readNewest({ now })
        : ((await remembered.recall(SHARED, '', now, () => sharedSecrets.list(now))) ?? []),
    replace: (change) =>
      sharedSecrets.replace(change).finally(() => {
        forget();
        onChange();
      }),
  };
}
