import {
  DomainError,
  decideFulfilment,
  fulfilOrder,
  type Order,
  type Plan,
  updateProduct,
} from '@handover/domain';
import {
  completeEmail,
  makeLine,
  makeOrder,
  publishProduct,
  recordOrder,
  sendsEmail,
} from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../src/database/connect-database.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { WITH_NEXT } from '../src/database/transact.ts';
import { createPostgresFulfilment } from '../src/stores/writes/fulfilment/fulfilment.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

openShopAnew(beforeEach);

/** The fulfilment store of one process: the other stores of the test simulate several processes. */
function openProcess() {
  return createPostgresFulfilment(opened.database.db, opened.queue);
}

let orders = 0;

/** A new order by a new customer. */
function newOrder(changes: Partial<Order> = {}): Order {
  orders += 1;
  const customer = { email: `buyer-${orders}@example.com`, name: 'Ana Lima' };
  return makeOrder(shop, { orderId: `${orders}`, customer, ...changes });
}

async function planFor(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  const known = await opened.stores.fulfilment.loadSnapshot(order);
  return decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
}

async function fulfil(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  return fulfilOrder(ports(), order, { id, attempts: 0 });
}

/** Commits the plans in one batch. */
async function commitTogether(plans: readonly Plan[], fulfilment = openProcess()) {
  const { result: answers, statements } = await watchStatements(opened, () =>
    Promise.allSettled(plans.map((plan) => fulfilment.commit(plan))),
  );
  return {
    transactions: statements.filter(({ text }) => text.startsWith('begin')).length,
    answers: answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason))),
  };
}

it('leaves the losers of a batch out, answers each correctly, and commits the others together', async () => {
  await publishProduct(ports(), shop.orgId, 'Keys');
  const outdated = await planFor(newOrder());
  await updateProduct({ clock, products: opened.stores.products }, shop.orgId, shop.product.id, {
    name: 'P',
  });
  const mailed = newOrder();
  const { receipt } = await fulfil(mailed);
  const waits = await planFor(mailed);
  await completeEmail(opened.stores, shop.orgId, receipt?.id ?? '', clock.now(), {
    kind: 'sent',
    at: clock.now(),
    answer: '250',
  });
  const split = newOrder();
  const held = await planFor({ ...split, lines: [makeLine('unknown')] });
  await fulfil({ ...split, lines: [makeLine('KEYS')] });
  const decided = await planFor(newOrder());
  await fulfilOrder(ports(), makeOrder(shop, { orderId: 'other' }), { id: decided.delivery.id, attempts: 0 });
  const regular = newOrder();
  const late = await planFor(regular);
  await fulfil(newOrder({ customer: regular.customer }));
  const good = await Promise.all([newOrder(), newOrder()].map(planFor));
  const [one, two] = good;
  if (!one || !two) throw new Error('There are two.');
  const before = await count('purchases');
  // One assumes that all of them stand, and one leaves out those that do not.
  expect(await commitTogether([outdated, one, waits, held, decided, late, two])).toEqual({
    transactions: 2,
    answers: [
      'changed-meanwhile',
      'committed',
      'changed-meanwhile',
      'changed-meanwhile',
      'decided-meanwhile',
      'changed-meanwhile',
      'committed',
    ],
  });
  expect((await count('purchases')) - before).toBe(2);
  expect(await count(`customers where email = '${regular.customer.email}'`)).toBe(1);
  const losers = [outdated, waits, held, late].map(({ delivery }) => `'${delivery.id}'`);
  expect(await count(`deliveries where attempts = 0 and id in (${losers})`)).toBe(4);
});

it('commits each alone where a statement cannot say which plan lost a purchase', async () => {
  const order = newOrder();
  await fulfil(newOrder({ customer: order.customer }));
  const late = await planFor(order);
  await fulfil(order);
  const loser = { ...late, expectedVersions: { ...late.expectedVersions, bought: null } };
  // Both of the batch, both of the loser alone, and that of the other plan.
  expect(await commitTogether([loser, await planFor(newOrder())])).toEqual({
    transactions: 5,
    answers: ['changed-meanwhile', 'committed'],
  });
});

it('raises the alerts of a batch once each, known and new ones, and reports them in one mail', async () => {
  const failed = await Promise.all([1, 2, 3].map(() => planFor(newOrder({ lines: [makeLine('unknown')] }))));
  const [known, ...others] = failed;
  if (!known) throw new Error('There are three.');
  expect(await opened.stores.fulfilment.commit(known)).toBe('committed');
  const again = { ...known, expectedVersions: { ...known.expectedVersions, attempts: 1 } };
  const { answers } = await commitTogether([again, ...others]);
  expect(answers).toEqual(['committed', 'committed', 'committed']);
  expect([await count('alerts'), await count(`outgoing_emails where kind = 'alert'`)]).toEqual([3, 1]);
  expect(await count('alerts where mail_id is null')).toBe(0);
  expect((await opened.queuedJobs()).filter(sendsEmail('alert'))).toHaveLength(1);
});

it('does not commit more lines together than can be written quickly', async () => {
  const lines = Array.from({ length: 900 }, (_, at) => makeLine(`unknown-${at}`));
  const large = await Promise.all([1, 2, 3].map(() => planFor(newOrder({ lines }))));
  expect(await commitTogether(large)).toEqual({
    transactions: 2,
    answers: ['committed', 'committed', 'committed'],
  });
});

it('lets a failing plan fail alone, and keeps nothing of it', async () => {
  const bad = await planFor(newOrder());
  const unknown = bad.purchases.map((purchase) => ({ ...purchase, productId: ids.next() }));
  const good = await planFor(newOrder());
  const { answers } = await commitTogether([{ ...bad, purchases: unknown }, good]);
  expect(answers).toEqual([expect.stringContaining('foreign key'), 'committed']);
  expect(await count(`customers where id = '${bad.customer?.id}'`)).toBe(0);
});

it('applies nothing of a batch whose transaction breaks off', async () => {
  const queue = {
    ...opened.queue,
    removeDecided: async (_: unknown, __: string, deliveryIds: readonly string[]) => {
      if (deliveryIds.length > 1) throw new DomainError('store-unavailable', 'It broke off.');
      return () => [];
    },
  };
  const plans = await Promise.all([newOrder(), newOrder(), newOrder()].map(planFor));
  const { answers } = await commitTogether(plans, createPostgresFulfilment(opened.database.db, queue));
  expect(answers).toEqual(plans.map(() => expect.stringContaining('It broke off.')));
  expect([
    await count('purchases'),
    await count('customers'),
    await count(`outgoing_emails where kind = 'receipt'`),
  ]).toEqual([0, 0, 0]);
  expect(await count('deliveries where attempts = 1')).toBe(0);
});

it('never loses an order of two processes that commit overlapping batches in opposite orders', async () => {
  const other = openDatabase({ url: opened.url, log: { warn: () => undefined, error: () => undefined } });
  try {
    const processes = [openProcess(), createPostgresFulfilment(other.db, opened.queue)] as const;
    // Every other order is by a customer who buys at the other process in the same moment.
    const wanted = Array.from({ length: 30 }, (_, at) =>
      newOrder({ customer: { email: `buyer-${at % 15}@example.com`, name: 'Ana Lima' } }),
    );
    const entries = await Promise.all(
      [wanted, wanted.toReversed()].map((list) =>
        Promise.all(list.map((order) => recordOrder(ports(), order))),
      ),
    );
    await Promise.all(
      [wanted, wanted.toReversed()].flatMap((list, at) =>
        list.map((order, place) =>
          fulfilOrder({ ...ports(), fulfilment: processes[at] ?? processes[0] }, order, {
            id: entries[at]?.[place]?.id ?? '',
            attempts: 0,
          }),
        ),
      ),
    );
    expect([
      await count('purchases'),
      await count(`outgoing_emails where kind = 'receipt'`),
      await count('customers'),
    ]).toEqual([30, 30, 15]);
    expect(await count(`deliveries where attempts = 1 and status = 'pending'`)).toBe(60);
  } finally {
    await other.close();
  }
});

it('needs hardly more statements for fifty orders than for five', async () => {
  const fulfilment = openProcess();
  const statements = async (size: number) => {
    const wanted = Array.from({ length: size }, () => newOrder());
    const entries = await Promise.all(wanted.map((order) => recordOrder(ports(), order)));
    const sent = await watchStatements(opened, () =>
      Promise.all(
        wanted.map((order, at) =>
          fulfilOrder({ ...ports(), fulfilment }, order, { id: entries[at]?.id ?? '', attempts: 0 }),
        ),
      ),
    );
    return sent.statements.length;
  };
  await statements(1);
  const [one, five, fifty] = [await statements(1), await statements(5), await statements(50)];
  expect(one).toBeLessThanOrEqual(13);
  expect(five).toBe(one);
  expect(fifty).toBe(one);
});

it('commits plans in two round trips: all statements at once, and the commit', async () => {
  const plans = [await planFor(newOrder()), await planFor(newOrder())];
  const fulfilment = openProcess();
  const { statements } = await watchStatements(opened, () =>
    Promise.all(plans.map((plan) => fulfilment.commit(plan))),
  );
  const texts = statements.map(({ text }) => text);
  const awaited = texts.filter((text) => !text.startsWith(WITH_NEXT));
  // Nothing is left to be sent in front of the commit.
  expect(texts.at(-2)).toBe(awaited.at(-2));
  expect(awaited).toEqual(['begin', expect.stringContaining("outcome in ('held', 'unmatched')"), 'commit']);
});

it('commits what nothing contradicts at once, also without a delivered line', async () => {
  const plans = [await planFor(newOrder({ lines: [makeLine('unknown')] })), await planFor(newOrder())];
  expect(await commitTogether(plans)).toEqual({ transactions: 1, answers: ['committed', 'committed'] });
});

it('has PostgreSQL parse the statements of fulfilment once for a connection, however many lines an order has', async () => {
  const single = openDatabase({
    url: opened.url,
    limits: { ...LIMITS.deciding, maxConnections: 1 },
    log: { warn: () => undefined, error: () => undefined },
  });
  try {
    const fulfilment = createPostgresFulfilment(single.db, opened.queue);
    const prepared = async () => {
      const { rows } = await single.pool.query(
        `select statement, generic_plans + custom_plans as runs from pg_prepared_statements where name like 'handover%'`,
      );
      return rows.map(({ statement, runs }) => ({ statement: String(statement), runs: Number(runs) }));
    };
    for (const skus of [['PADS'], ['PADS', 'unknown'], ['a', 'b', 'c']]) {
      const order = newOrder({ lines: skus.map((sku) => makeLine(sku)) });
      const { id } = await recordOrder(ports(), order);
      await fulfilOrder({ ...ports(), fulfilment }, order, { id, attempts: 0 });
    }
    const statements = await prepared();
    const runsOf = (part: string) =>
      statements.filter(({ statement }) => statement.includes(part)).map(({ runs }) => runs);
    expect(runsOf('bought as materialized')).toEqual([3]);
    expect(runsOf('insert into delivery_lines')).toEqual([3]);
    expect(runsOf('update deliveries')).toEqual([3]);
    expect(runsOf('insert into purchases')).toEqual([3]);
  } finally {
    await single.close();
  }
});
