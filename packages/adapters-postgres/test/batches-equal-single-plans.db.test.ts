import {
  decideFulfilment,
  fulfilOrder,
  type Job,
  type Order,
  type Plan,
  updateProduct,
} from '@handover/domain';
import { makeLine, makeOrder, publishProduct, recordOrder } from '@handover/testkit';
import fc from 'fast-check';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Schema } from '../src/database/schema.ts';
import { type JobOutbox, NOTHING_RESERVED } from '../src/jobs/job-outbox.ts';
import { applyAtOnce, applyStanding } from '../src/stores/writes/fulfilment/apply-plan.ts';
import { subjectsOf } from '../src/stores/writes/fulfilment/fulfilment.ts';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

const TABLES = ['deliveries', 'delivery_lines', 'customers', 'outgoing_emails', 'purchases', 'download_links']
  .concat(['purchase_aliases', 'activity', 'alerts'])
  .sort();

interface Sketch {
  readonly order: number;
  readonly buyer: number;
  readonly skus: readonly string[];
  /** When the plan is decided: before the concurrent change, or during it. */
  readonly when: 'before' | 'planned' | 'meanwhile';
}

const sketch: fc.Arbitrary<Sketch> = fc.record({
  order: fc.nat(5),
  buyer: fc.nat(4),
  skus: fc.uniqueArray(fc.constantFrom('PADS', 'KEYS', 'DRUMS', 'unknown'), { minLength: 1, maxLength: 3 }),
  when: fc.constantFrom('before', 'planned', 'planned', 'planned', 'meanwhile'),
});

/** With these, every run of the test has plans of each outcome: random ones may lack one. */
const TWO_PLANNED: Sketch[] = [
  { order: 0, buyer: 0, skus: ['PADS'], when: 'planned' },
  { order: 1, buyer: 1, skus: ['DRUMS'], when: 'planned' },
];

let round = 0;

it('a batch returns and writes the same as its plans one by one, and at once if all of them stand', async () => {
  await publishProduct(ports(), shop.orgId, 'Keys');
  const drums = await publishProduct(ports(), shop.orgId, 'Drums');
  const outcomes = new Set<string>();
  const attempts = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(sketch, { minLength: 2, maxLength: 12 }),
      fc.constantFrom('none', 'none', 'entry', 'entry', 'catalogue'),
      async (sketches, change) => {
        round += 1;
        const of = (when: Sketch['when']) => sketches.filter((one) => one.when === when).map(orderOf);
        for (const order of of('before')) await fulfil(order);
        const plans = takeSeparate(await Promise.all(of('planned').map(planFor)));
        for (const order of of('meanwhile')) await fulfil(order);
        if (change !== 'none' && plans[0]) await opened.stores.fulfilment.commit(plans[0]);
        if (change === 'catalogue')
          await updateProduct(ports(), shop.orgId, drums.product.id, { name: 'Drum' });
        fc.pre(plans.length > 0);
        const together = await tryOut((trx, jobs) => applyStanding(trx, jobs, plans, refuse));
        const oneByOne = await tryOut(async (trx, jobs) => {
          const applied = [];
          for (const plan of plans) applied.push(await applyStanding(trx, jobs, [plan], refuse));
          return { answers: applied.flatMap(({ answers }) => answers) };
        });
        expect(together).toEqual(oneByOne);
        const atOnce = await tryOut((trx, jobs) => applyAtOnce(trx, jobs, plans, refuse)).catch(
          (error: unknown) => error,
        );
        const areAllCommitted = together.answers.every((answer) => answer === 'committed');
        // A plan that was decided meanwhile can also fail at its lines, which are there already.
        expect(atOnce).toEqual(areAllCommitted ? together : expect.any(Error));
        attempts.add(areAllCommitted);
        for (const answer of together.answers) outcomes.add(answer);
      },
    ),
    {
      numRuns: 20,
      examples: [
        [TWO_PLANNED, 'none'],
        [TWO_PLANNED, 'catalogue'],
      ],
    },
  );
  expect([...outcomes].sort()).toEqual(['changed-meanwhile', 'committed', 'decided-meanwhile']);
  expect(attempts.size).toBe(2);
});

function refuse(): never {
  throw new Error('Not all of them stand, or a plan lost a purchase.');
}

function orderOf({ order, buyer, skus }: Sketch): Order {
  return makeOrder(shop, {
    orderId: `${round}-${order}`,
    customer: { email: `buyer-${round}-${buyer}@example.com`, name: 'Ana Lima' },
    lines: skus.map((sku) => makeLine(sku)),
  });
}

async function planFor(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  const known = await opened.stores.fulfilment.loadSnapshot(order);
  return decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
}

async function fulfil(order: Order): Promise<void> {
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
}

/** Plans that one batch can hold. */
function takeSeparate(plans: readonly Plan[]): readonly Plan[] {
  const named = new Set<string>();
  return plans.filter((plan) => {
    const subjects = subjectsOf(plan);
    const isSeparate = !subjects.some((subject) => named.has(subject));
    if (isSeparate) for (const subject of subjects) named.add(subject);
    return isSeparate;
  });
}

/** What the work returns, writes and queues, in a transaction that is rolled back. */
async function tryOut<Answer>(
  work: (trx: Transaction<Schema>, jobs: JobOutbox) => Promise<{ readonly answers: readonly Answer[] }>,
) {
  const queued: Job[] = [];
  const removed: string[] = [];
  const jobs: JobOutbox = {
    enqueue: async (_, wanted) => void queued.push(...wanted),
    enqueueNew: async () => new Set(),
    reserve: () => NOTHING_RESERVED,
    removeDecided: async (_, __, deliveryIds) => {
      removed.push(...deliveryIds);
      return () => [];
    },
    removeSent: async () => () => [],
    announceRemoved: () => undefined,
    wake: () => undefined,
  };
  const trx = await opened.database.db.startTransaction().execute();
  try {
    const { answers } = await work(trx, jobs);
    const tables: Record<string, unknown> = {};
    for (const table of TABLES) {
      const { rows } =
        await sql`select to_jsonb(t) as row from ${sql.table(table)} t order by t::text`.execute(trx);
      tables[table] = rows;
    }
    return {
      answers,
      tables,
      queued: queued.map((job) => JSON.stringify(job)).sort(),
      removed: removed.sort(),
    };
  } finally {
    await trx.rollback().execute();
  }
}
