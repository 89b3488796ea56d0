import { fulfilOrder, setConnectionRules, setDefaultCurrency, setIntegrationSecret } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { count, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

const WAITING = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

openShopAnew(beforeEach);

it('a new default currency waits for those who change purchases, who lock them by their ids', async () => {
  const { pool } = opened.database;
  const purchaseIds: string[] = [];
  for (const orderId of ['2', '1']) {
    const order = makeOrder(shop, { orderId, currency: null });
    const { id } = await recordOrder(ports(), order);
    const { purchases } = await fulfilOrder(ports(), order, { id, attempts: 0 });
    purchaseIds.push(...purchases.map((purchase) => purchase.id));
  }
  const [first, second] = purchaseIds.sort();
  // In the table and in the index of orders, it comes behind the second one now.
  await pool.query('update purchases set amount = amount where id = $1', [first]);
  const client = await pool.connect();
  try {
    const lock = 'select from purchases where id = $1 for no key update';
    await client.query('begin');
    await client.query(lock, [first]);
    const setting = setDefaultCurrency(opened.stores, shop.orgId, 'CHF');
    await vi.waitFor(async () => expect(await count(WAITING)).toBe(1), WAIT_TIMEOUT_MS);
    const locking = client.query(lock, [second]).then(() => client.query('commit'));
    expect(await Promise.all([setting, locking])).toMatchObject([{ kind: 'set', isChanged: true }, {}]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await count("purchases where currency = 'CHF'")).toBe(2);
});

it('an order is committed while the secret of its connection is replaced, and then a rule changed', async () => {
  const { orgId, connection } = shop;
  const named = { orgId, platform: 'storefront-a', name: connection.name } as const;
  const order = makeOrder(shop, { orderId: '1', currency: null });
  const { id } = await recordOrder(ports(), order);
  await opened.stores.inTransaction(async (within) => {
    const secret = 'a-secret-of-32-characters-at-least';
    await setIntegrationSecret({ ...ports(), ...within }, { ...named, secret });
    // Its purchase refers to the connection, whose row is locked here.
    await fulfilOrder(ports(), order, { id, attempts: 0 });
    await setConnectionRules(within, { ...named, rules: { defaultCurrency: 'JPY' } });
  });
  expect(await count('purchases where currency is null')).toBe(1);
});

// The last one: deleting so many rows before another test can take longer than a statement may.
it('a new default currency is given to many purchases by several statements, as each must end in time', async () => {
  const { pool } = opened.database;
  const order = makeOrder(shop, { orderId: '1', currency: null });
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder(ports(), order, { id, attempts: 0 });
  await pool.query(`
    insert into purchases (org_id, id, customer_id, product_id, amount, payment_method, source, created_at)
    select org_id, gen_random_uuid(), customer_id, product_id, amount, payment_method, source, created_at
    from purchases, generate_series(1, 25000)
  `);
  const { result, statements } = await watchStatements(opened, () =>
    setDefaultCurrency(opened.stores, shop.orgId, 'CHF'),
  );
  expect(result).toMatchObject({ kind: 'set', isChanged: true });
  expect(await count("purchases where currency = 'CHF'")).toBe(25_001);
  expect(statements.filter(({ text }) => text.includes('update purchases'))).toHaveLength(4);
});
