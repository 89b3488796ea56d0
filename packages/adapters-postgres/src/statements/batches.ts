import { forbidLateReads } from '../database/read-replica.ts';
import type { Db } from '../database/schema.ts';
import { isStoreUnavailable, isTimeLimit } from '../database/store-errors.ts';

/** How work of one kind is batched. */
export interface BatchOptions<Item, Result> {
  /**
   * Only items with the same key share a batch: in tenant statements the organisation, so that a batch stays on one
   * shard.
   */
  keyOf(item: Item): string;
  /** Items that name the same subject are never in one batch. */
  subjectsOf?(item: Item): readonly string[];
  readonly maxItems: number;
  /** The weight of an item, and the maximum weight of a batch. A heavier item gets a batch of its own. */
  weigh?(item: Item): number;
  readonly maxWeight?: number;
  /** The turns that batches take; several kinds can share them. */
  readonly turns: Turns;
  /** Whether a failed batch keeps its turn while its items run alone: each may wait for the same lock, with a connection. */
  readonly keepsTurn?: boolean;
  /** Processes all items or none, and returns their results in order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly subjects: readonly string[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Batches that share turns and have the same key run one after another, also across kinds. Batches of a quick kind
 * grow while a slow one runs, and both need fewer statements.
 */
export interface Turns {
  readonly running: Set<string>;
  /** The keys whose batch has just ended. */
  readonly resting: Set<string>;
  /** The number of concurrent batches of different keys: each uses a connection. */
  readonly maxAtOnce: number;
  /** Starts the batches of each kind; the kind whose last turn is oldest comes first. */
  readonly kinds: (() => void)[];
}

export function createTurns(maxAtOnce: number): Turns {
  return { running: new Set(), resting: new Set(), maxAtOnce, kinds: [] };
}

/**
 * A key rests for this many turns of the event loop between two batches. Without other work a turn takes a few microseconds. A
 * busy loop reads more items meanwhile, and each of them costs less in a larger batch.
 */
const REST_TURNS = 32;
/** The maximum length of a rest, because turns of a busy loop can be long. */
const MAX_REST_MS = 100;

/**
 * Batches waiting items without a timer. An item that arrives alone starts in the same tick of the event loop, with
 * all other items of that tick. An item that arrives while a batch of its key runs or its key rests joins the next
 * batch. So a quiet server answers without delay, and a busy one needs fewer statements and flushes per item. Keys take
 * turns in the order in which they began to wait.
 *
 * When a batch fails, each of its items runs again alone, so that one does not spoil the others. This does not apply
 * when the database is down, because that affects all. A lock timeout concerns one item, and a statement timeout
 * means that the batch was too large, until a second item that runs alone times out, too.
 */
export function createBatches<Item, Result>(
  given: BatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { turns } = given;
  // Without this, a batch would run in the context of the caller that began it.
  const run = (items: readonly Item[]) => forbidLateReads(() => given.run(items));
  const options = { ...given, run };
  // A map iterates its keys in insertion order: the first has waited longest.
  const waiting = new Map<string, Waiting<Item, Result>[]>();
  let isBeginning = false;
  turns.kinds.push(begin);

  return (item) =>
    new Promise((resolve, reject) => {
      const key = options.keyOf(item);
      const subjects = options.subjectsOf?.(item) ?? [];
      const queue = waiting.get(key) ?? [];
      queue.push({ item, subjects, resolve, reject });
      waiting.set(key, queue);
      beginSoon();
    });

  /** Runs once for all items of this tick. */
  function beginSoon(): void {
    if (isBeginning) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      begin();
    });
  }

  function begin(): void {
    for (const [key, queue] of waiting) {
      if (turns.running.size >= turns.maxAtOnce) return;
      if (!turns.running.has(key) && !turns.resting.has(key)) void runOne(key, queue);
    }
  }

  async function runOne(key: string, queue: readonly Waiting<Item, Result>[]): Promise<void> {
    const { taken, left: later } = takeBatch(queue, options);
    // The remaining items wait behind the other keys.
    waiting.delete(key);
    if (later.length > 0) waiting.set(key, later);
    turns.running.add(key);
    const left = await runTogether(options, taken);
    const runsAlone = runEachAlone(options.run, left);
    // Else not awaited: one of them may wait long for a lock, and other batches continue meanwhile.
    if (options.keepsTurn) await runsAlone;
    turns.running.delete(key);
    turns.resting.add(key);
    // A caller that has just got its answer may submit another item before that.
    setImmediate(() => passTurn(turns, begin));
    rest(REST_TURNS, performance.now() + MAX_REST_MS, () => {
      turns.resting.delete(key);
      beginAll(turns);
    });
  }
}

/** The kind that had its turn comes last from now on. */
function passTurn(turns: Turns, begin: () => void): void {
  turns.kinds.splice(turns.kinds.indexOf(begin), 1);
  turns.kinds.push(begin);
  beginAll(turns);
}

function beginAll({ kinds }: Turns): void {
  for (const beginKind of [...kinds]) beginKind();
}

function rest(turnsLeft: number, until: number, end: () => void): void {
  setImmediate(() => {
    if (turnsLeft > 1 && performance.now() < until) rest(turnsLeft - 1, until, end);
    else end();
  });
}

/** Keeps the order of arrival, but of two items with the same subject the later one waits for the next batch. */
function takeBatch<Item, Result>(
  queue: readonly Waiting<Item, Result>[],
  { maxItems, weigh = () => 0, maxWeight = Number.POSITIVE_INFINITY }: BatchOptions<Item, Result>,
) {
  const taken: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  const named = new Set<string>();
  let weight = 0;
  for (const one of queue) {
    const isLight = taken.length === 0 || weight + weigh(one.item) <= maxWeight;
    const fits = isLight && taken.length < maxItems && !one.subjects.some((subject) => named.has(subject));
    (fits ? taken : left).push(one);
    if (fits) weight += weigh(one.item);
    // Also of an item that waits: a later one with the same subject must not overtake it.
    for (const subject of one.subjects) named.add(subject);
  }
  return { taken, left };
}

/** Never rejects: each item gets its own result. @returns the items that must run again, each alone. */
async function runTogether<Item, Result>(
  { run }: BatchOptions<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<readonly Waiting<Item, Result>[]> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
  } catch (error) {
    if (batch.length > 1 && !isTrueOfAll(error)) return batch;
    rejectAll(batch, error);
  }
  return [];
}

async function runEachAlone<Item, Result>(
  run: BatchOptions<Item, Result>['run'],
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  let late = 0;
  for (const [at, { item, resolve, reject }] of batch.entries()) {
    try {
      const [result] = await run([item]);
      resolve(result as Result);
    } catch (error) {
      reject(error);
      if (isTimeLimit(error)) late += 1;
      if (isTrueOfAll(error) || late > 1) return rejectAll(batch.slice(at + 1), error);
    }
  }
}

function isTrueOfAll(error: unknown): boolean {
  return isStoreUnavailable(error) && !isTimeLimit(error);
}

function rejectAll(batch: readonly { reject(error: unknown): void }[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

/** The number of organisations that are processed at once, per kind of work: each uses a connection. */
const MAX_AT_ONCE = 4;
/** The maximum number of items in a transaction. */
const MAX_ITEMS = 200;

/** Batches concurrent calls. Within an open transaction each call runs directly, as a part of it. */
export function doTogether<Item, Result>(
  db: Db,
  options: Omit<BatchOptions<Item, Result>, 'maxItems' | 'turns'> & Partial<BatchOptions<Item, Result>>,
): (item: Item) => Promise<Result> {
  if (!db.isTransaction)
    return createBatches({ maxItems: MAX_ITEMS, turns: createTurns(MAX_AT_ONCE), ...options });
  return async (item) => {
    const [result] = await options.run([item]);
    return result as Result;
  };
}
