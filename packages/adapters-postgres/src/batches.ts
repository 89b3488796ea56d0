import { isStoreUnavailable, isTimeLimit } from './store-errors.ts';

/** How work of one kind is done together. */
export interface BatchOptions<Item, Result> {
  /** Only items of one key are done together: for a tenant's statements its organisation, so that they stay on one shard. */
  keyOf(item: Item): string;
  /** Items that name the same subject are never in one batch. */
  subjectsOf?(item: Item): readonly string[];
  readonly maxItems: number;
  /** What an item weighs, and how much a batch may: an item that is heavier goes alone. */
  weigh?(item: Item): number;
  readonly maxWeight?: number;
  /** Whose turn it is; batches of several kinds may share it. */
  readonly turns: Turns;
  /** Does all or nothing of them, and answers in their order. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly subjects: readonly string[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Batches that share these follow one another where they have one key, whatever their kinds: so those of a quick kind grow while
 * a slow one runs, and both need fewer statements.
 */
export interface Turns {
  readonly running: Set<string>;
  /** So many batches run at once, of different keys: each holds a connection. */
  readonly maxAtOnce: number;
  /** What begins batches of each kind, the one first that had its last turn first. */
  readonly kinds: (() => void)[];
}

export function createTurns(maxAtOnce: number): Turns {
  return { running: new Set(), maxAtOnce, kinds: [] };
}

/**
 * Does together whatever waits, without a timer: who comes alone begins in the same round of the event loop, with
 * whoever else came in it, and who comes while a batch of his key runs is
 * in the next one. So a quiet server answers as fast as ever, and a busy one needs fewer statements and flushes for each.
 * Keys take turns in the order in which they began to wait. When a batch fails, each of its items is done again alone, so
 * that one does not spoil the others; but not when the database is away, for that is true of all. A lock that was waited for
 * too long is in the way of one, and a statement that took too long was about too many, until a second one that is alone
 * comes to its limit, too.
 */
export function createBatches<Item, Result>(
  options: BatchOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { turns } = options;
  // A map lists its keys in the order in which they were set: the first has waited longest.
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

  /** Once for all that come in this round of the event loop. */
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
      if (!turns.running.has(key)) void runOne(key, queue);
    }
  }

  async function runOne(key: string, queue: readonly Waiting<Item, Result>[]): Promise<void> {
    const { taken, left: later } = takeBatch(queue, options);
    // What is left waits behind the other keys.
    waiting.delete(key);
    if (later.length > 0) waiting.set(key, later);
    turns.running.add(key);
    const left = await runTogether(options, taken);
    // One of them may wait for a lock for long: all others go on meanwhile.
    if (left.length > 0) void runEachAlone(options.run, left);
    // Those who were answered may ask for something else, which is then in time for its turn.
    setImmediate(() => passTurn(key));
  }

  function passTurn(key: string): void {
    turns.running.delete(key);
    turns.kinds.splice(turns.kinds.indexOf(begin), 1);
    turns.kinds.push(begin);
    for (const beginKind of [...turns.kinds]) beginKind();
  }
}

/** In the order in which they came, but the later one of two that name one subject waits for the next batch. */
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
    // Who waits is not overtaken by another one about the same.
    for (const subject of one.subjects) named.add(subject);
  }
  return { taken, left };
}

/** Never rejects: each item is told for itself. @returns those that are to be done again, each alone. */
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
