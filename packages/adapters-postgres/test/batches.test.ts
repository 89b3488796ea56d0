import { DomainError } from '@handover/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asStoreError } from '../src/database/store-errors.ts';
import { createBatches, createTurns, type Turns } from '../src/statements/batches.ts';

interface Item {
  readonly key: string;
  readonly subject?: string;
  readonly number: number;
  readonly weight?: number;
}

const nextRound = () => new Promise(setImmediate);
/** Longer than a key rests. */
const manyRounds = async () => {
  for (let round = 0; round < 40; round += 1) await nextRound();
};

/** Batches that run until the test ends them. */
function openTrial({
  maxItems = 100,
  maxAtOnce = 2,
  turns = createTurns(maxAtOnce),
  fail,
}: Partial<Trial> = {}) {
  const begun: { readonly items: readonly Item[]; end(): void }[] = [];
  const add = createBatches<Item, number>({
    keyOf: ({ key }) => key,
    subjectsOf: ({ subject }) => (subject === undefined ? [] : [subject]),
    maxItems,
    turns,
    weigh: ({ weight = 0 }) => weight,
    maxWeight: 10,
    run: async (items) => {
      await new Promise<void>((end) => begun.push({ items, end }));
      fail?.(items);
      return items.map(({ number }) => number * 10);
    },
  });
  const numbers = () => begun.map(({ items }) => items.map(({ number }) => number));
  const endAll = async () => {
    await nextRound();
    for (let at = 0; at < begun.length; at += 1) {
      begun[at]?.end();
      await manyRounds();
    }
  };
  return { add, begun, numbers, endAll };
}

interface Trial {
  readonly turns: Turns;
  readonly maxItems: number;
  readonly maxAtOnce: number;
  fail(items: readonly Item[]): void;
}

describe('a batch', () => {
  it('starts in the same turn of the event loop, and takes all items that arrived in the meantime when it ends', async () => {
    const { add, numbers, endAll } = openTrial();
    const answers = [1, 2].map((number) => add({ key: 'a', number }));
    await nextRound();
    expect(numbers()).toEqual([[1, 2]]);
    answers.push(...[3, 4, 5].map((number) => add({ key: 'a', number })));
    await nextRound();
    expect(numbers()).toEqual([[1, 2]]);
    await endAll();
    expect(numbers()).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  });

  it('has items of one key only, and a maximum number of them', async () => {
    const { add, numbers, endAll } = openTrial({ maxItems: 2 });
    for (const [number, key] of [...'aabbbaaa'].entries()) void add({ key, number });
    await endAll();
    expect(numbers()).toEqual([[0, 1], [2, 3], [5, 6], [4], [7]]);
  });

  it('runs concurrently with a limited number of batches of other keys, the longest waiting first', async () => {
    const { add, begun, numbers } = openTrial({ maxAtOnce: 2 });
    for (const [number, key] of [...'abcd'].entries()) void add({ key, number });
    await nextRound();
    expect(numbers()).toEqual([[0], [1]]);
    void add({ key: 'a', number: 9 });
    begun[0]?.end();
    await nextRound();
    await nextRound();
    expect(numbers()).toEqual([[0], [1], [2]]);
  });

  it('begins a few turns of the event loop after the one before it, with all items that arrive in them', async () => {
    const { add, begun, numbers } = openTrial({ maxAtOnce: 1 });
    void add({ key: 'a', number: 1 });
    await nextRound();
    void add({ key: 'a', number: 2 });
    begun[0]?.end();
    await nextRound();
    await nextRound();
    void add({ key: 'a', number: 3 });
    void add({ key: 'b', number: 4 });
    await nextRound();
    // Others do not wait for its rest.
    expect(numbers()).toEqual([[1], [4]]);
    begun[1]?.end();
    await manyRounds();
    expect(numbers()).toEqual([[1], [4], [2, 3]]);
  });

  it('never has two items about one subject, and keeps their order', async () => {
    const { add, numbers, endAll } = openTrial();
    const subjects = ['x', 'y', 'y', 'z', 'y'];
    for (const [number, subject] of subjects.entries()) void add({ key: 'a', subject, number });
    await endAll();
    expect(numbers()).toEqual([[0, 1, 3], [2], [4]]);
  });

  it('stays below a maximum weight, unless one item exceeds it alone', async () => {
    const { add, numbers, endAll } = openTrial();
    for (const [number, weight] of [1, 6, 5, 4, 11, 1].entries()) void add({ key: 'a', weight, number });
    await endAll();
    expect(numbers()).toEqual([[0, 1, 5], [2, 3], [4]]);
  });
});

it('follows one of another kind that has its key, and the kinds take turns', async () => {
  const turns = createTurns(2);
  const [loads, commits] = [openTrial({ turns }), openTrial({ turns })];
  void loads.add({ key: 'a', number: 1 }).then(() => commits.add({ key: 'a', number: 1 }));
  await nextRound();
  for (const number of [2, 3]) void loads.add({ key: 'a', number });
  void loads.add({ key: 'b', number: 4 });
  await nextRound();
  expect(loads.numbers()).toEqual([[1], [4]]);
  loads.begun[0]?.end();
  await manyRounds();
  expect(commits.numbers()).toEqual([[1]]);
  expect(loads.numbers()).toEqual([[1], [4]]);
  commits.begun[0]?.end();
  await manyRounds();
  expect(loads.numbers()).toEqual([[1], [4], [2, 3]]);
});

const LOCK_TIMEOUT = '55P03';
const STATEMENT_TIMEOUT = '57014';
const OUTAGE = '57P01';

/** Fails a transaction with one of these items, as the database does. */
function failOf(numbers: readonly number[], code: string) {
  return (items: readonly Item[]) => {
    if (items.some(({ number }) => numbers.includes(number))) {
      throw asStoreError(Object.assign(new Error('It failed.'), { code }));
    }
  };
}

/** The first one is a batch of its own; the others come while it runs. */
async function addInTwo(add: (item: Item) => Promise<number>, [first = 0, ...others]: readonly number[]) {
  const begun = add({ key: 'a', number: first });
  await nextRound();
  return Promise.allSettled([begun, ...others.map((number) => add({ key: 'a', number }))]);
}

describe('a batch that fails', () => {
  it('runs again, each item alone', async () => {
    const fail = (items: readonly Item[]) => {
      if (items.some(({ number }) => number === 2)) throw new Error('The second is bad.');
    };
    const { add, numbers, endAll } = openTrial({ fail });
    const answers = Promise.allSettled([0, 1, 2, 3].map((number) => add({ key: 'a', number })));
    await endAll();
    expect(numbers()).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]]);
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it('does not run again while the database is unavailable', async () => {
    const fail = ({ length }: readonly Item[]) => {
      if (length > 1) throw new DomainError('store-unavailable', 'Away.');
    };
    const { add, numbers, endAll } = openTrial({ fail });
    const answers = addInTwo(add, [0, 1, 2]);
    await endAll();
    expect(numbers()).toEqual([[0], [1, 2]]);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it.each([
    ['a lock', LOCK_TIMEOUT],
    ['a long statement', STATEMENT_TIMEOUT],
  ])('of %s is done again, and only the call that caused it fails', async (_, code) => {
    const { add, numbers, endAll } = openTrial({ fail: failOf([2], code) });
    const answers = Promise.allSettled([0, 1, 2, 3].map((number) => add({ key: 'a', number })));
    await endAll();
    expect(numbers()).toEqual([[0, 1, 2, 3], [0], [1], [2], [3]]);
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  it.each([
    ['when a second one waits for a lock', LOCK_TIMEOUT, [[1], [2], [3]]],
    ['when the database goes away meanwhile', OUTAGE, [[1], [2]]],
  ])('is not done again to the end %s, for that takes as long for each', async (_, code, redone) => {
    const { add, numbers, endAll } = openTrial({
      fail: (items) => {
        if (items.length === 4) throw new Error('One of them is bad.');
        failOf([2, 3], code)(items);
      },
    });
    const answers = addInTwo(add, [0, 1, 2, 3, 4]);
    await endAll();
    expect(numbers()).toEqual([[0], [1, 2, 3, 4], ...redone]);
    expect((await answers).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  it('does not block its key or another one while its items run alone', async () => {
    const fail = (items: readonly Item[]) => {
      if (items.some(({ number }) => number === 0) && items.length > 1)
        throw new Error('It waits for a lock.');
    };
    const { add, begun, numbers } = openTrial({ maxAtOnce: 1, fail });
    for (const number of [0, 1]) void add({ key: 'a', number });
    await nextRound();
    for (const [number, key] of ['a', 'b'].entries()) void add({ key, number: number + 2 });
    begun[0]?.end();
    await manyRounds();
    expect(numbers()).toEqual([[0, 1], [0], [3]]);
    begun[2]?.end();
    await manyRounds();
    expect(numbers()).toEqual([[0, 1], [0], [3], [2]]);
  });

  it('does not block later items', async () => {
    const fail = () => {
      throw new Error('Bad.');
    };
    const { add, endAll, numbers } = openTrial({ fail });
    await Promise.all([expect(add({ key: 'a', number: 0 })).rejects.toThrow('Bad.'), endAll()]);
    void add({ key: 'a', number: 1 }).catch(() => undefined);
    await nextRound();
    expect(numbers()).toEqual([[0], [1]]);
  });
});

it('answers each item once with its own result, in any order of arrival', async () => {
  const items = fc.array(
    fc.record({ key: fc.constantFrom('a', 'b', 'c'), subject: fc.constantFrom('x', 'y', 'z') }),
  );
  const bounds = fc.record({
    maxItems: fc.integer({ min: 1, max: 5 }),
    maxAtOnce: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(items, bounds, fc.scheduler(), async (wanted, { maxItems, maxAtOnce }, scheduler) => {
      let running = 0;
      const add = createBatches<Item, number>({
        keyOf: ({ key }) => key,
        subjectsOf: ({ subject = '' }) => [subject],
        maxItems,
        turns: createTurns(maxAtOnce),
        run: async (batch) => {
          running += 1;
          expect(running).toBeLessThanOrEqual(maxAtOnce);
          expect(batch.length).toBeLessThanOrEqual(maxItems);
          expect(new Set(batch.map(({ key }) => key)).size).toBe(1);
          expect(new Set(batch.map(({ subject }) => subject)).size).toBe(batch.length);
          await scheduler.schedule(Promise.resolve());
          running -= 1;
          return batch.map(({ number }) => number * 10);
        },
      });
      const answers = Promise.all(wanted.map((item, number) => add({ ...item, number })));
      await scheduler.waitFor(answers);
      expect(await answers).toEqual(wanted.map((_, number) => number * 10));
    }),
  );
});
