import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Action, type Pause, perform } from './sequences/actions.ts';
import { expectRules } from './sequences/rules.ts';
import { openWorld, type World } from './sequences/world.ts';

/** Time passes, and then some things happen, all of them at once. */
interface Step {
  readonly wait: number;
  readonly atOnce: readonly Action[];
  /** How many turns each of them waits, wherever it waits. */
  readonly turns: readonly number[];
}

/** `SEQUENCES=30000` tries more of them, in a quarter of a minute. */
const RUNS = Number(process.env.SEQUENCES ?? 1000);
const TIMEOUT = 20_000 + RUNS * 5;

const SECOND = 1000;
const HOUR = 3600 * SECOND;

it(
  'whatever happens in whatever order, every order is delivered once and every receipt accounted for',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { maxLength: 25, size: 'max' }), async (steps) => {
        const world = await openWorld();
        for (const step of steps) {
          await take(world, step);
          expectRules(world);
        }
        await workUntilDone(world);
        expectRules(world);
        expectNothingPending(world);
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);

it(
  'once everything can be delivered, everything that is delivered again arrives',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep(), { maxLength: 15, size: 'max' }), async (steps) => {
        const world = await openWorld();
        for (const step of steps) await take(world, step);
        await openEverything(world);
        for (let entry = 0; entry < world.orders.size; entry += 1) {
          await perform(world, { kind: 'redeliver', entry }, async () => {});
        }
        await workUntilDone(world);
        expectRules(world);
        expectNothingPending(world);
        for (const entry of world.memory.deliveries.values()) {
          const bought = entry.lines.some(({ purchaseId }) => purchaseId !== null);
          const reached = world.orders.get(entry.id)?.customer.email !== null;
          expect([reached && bought, entry.status]).not.toEqual([true, 'error']);
          expect(entry.status).not.toBe('held');
        }
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  },
  TIMEOUT,
);

async function take(world: World, { wait, atOnce, turns }: Step): Promise<void> {
  world.clock.advance(wait);
  let taken = 0;
  const pause: Pause = async () => {
    const count = turns[taken % turns.length] ?? 0;
    taken += 1;
    for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
  };
  await Promise.all(atOnce.map((action) => perform(world, action, pause)));
}

/** The workers do what is left, and the mail server takes everything. */
async function workUntilDone(world: World): Promise<void> {
  const answer = { kind: 'work', job: 0, answer: 'accepted', dies: 'never' } as const;
  for (let done = 0; done < 1000; done += 1) {
    const [next] = await world.stores.queuedJobs();
    if (!next) return;
    world.clock.advance(Math.max(0, next.startAfter.getTime() - world.clock.now().getTime()));
    await perform(world, answer, async () => {});
  }
  throw new Error('The workers never came to an end.');
}

async function openEverything(world: World): Promise<void> {
  const now = async () => {};
  await perform(world, { kind: 'subscription', lasts: true }, now);
  for (const [product] of world.wares.entries()) {
    await perform(world, { kind: 'set-live', product, live: true }, now);
    await perform(world, { kind: 'set-status', product, status: 'published' }, now);
  }
}

function expectNothingPending({ memory }: World): void {
  expect([...memory.deliveries.values()].filter(({ status }) => status === 'pending')).toEqual([]);
  expect(
    [...memory.emails.values()].filter(({ kind, status }) => kind === 'receipt' && status === 'pending'),
  ).toEqual([]);
}

function anyStep(): fc.Arbitrary<Step> {
  return fc.record({
    wait: fc.constantFrom(0, 0, 6 * SECOND, 20 * SECOND, HOUR, 80 * HOUR),
    atOnce: fc.oneof(
      { weight: 3, arbitrary: fc.array(anyAction(), { minLength: 1, maxLength: 1 }) },
      { weight: 2, arbitrary: fc.array(anyAction(), { minLength: 2, maxLength: 4 }) },
    ),
    turns: fc.array(fc.nat(7), { minLength: 1, maxLength: 8 }),
  });
}

function anyAction(): fc.Arbitrary<Action> {
  const number = fc.nat(11);
  const product = fc.nat(3);
  const sku = fc.constantFrom('pads', ' KEYS', 'drums', 'Bells', 'gift', 'mug');
  const own = fc.boolean();
  const one = <Kind extends Action['kind']>(kind: Kind) => fc.constant(kind);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: one('order'),
        connection: fc.nat(1),
        orderId: fc.constantFrom('1', '2', '3'),
        email: fc.constantFrom('ana@example.com', 'ANA@example.com', 'bo@example.com', null),
        skus: fc.array(sku, { minLength: 0, maxLength: 3 }),
        fulfil: fc.constantFrom('in-request', 'in-background'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: one('redeliver'), entry: number }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: one('work'),
        job: number,
        answer: fc.constantFrom('accepted', 'refused', 'try-again'),
        dies: fc.constantFrom('never', 'never', 'before-noting', 'before-finishing'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: one('set-status'),
        product,
        status: fc.constantFrom('draft', 'published', 'archived'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: one('set-live'), product, live: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: one('map'), sku, product: fc.option(product), own }),
    },
    { weight: 1, arbitrary: fc.record({ kind: one('unmap'), sku, own }) },
    { weight: 1, arbitrary: fc.record({ kind: one('subscription'), lasts: fc.boolean() }) },
  );
}
