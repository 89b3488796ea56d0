import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fulfilOrder } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import type pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

describe('volume', () => {
  it('keeps texts with characters that PostgreSQL has no place for', async () => {
    const odd = 'odd\u0000 \ud800 {"} \\ \', null';
    const order = makeOrder(shop, {
      orderId: odd,
      orderNumber: odd,
      customer: { email: 'odd@example.com', name: odd },
      notes: [odd],
      lines: [makeLine(odd), makeLine('PADS'), makeLine('')],
    });
    for (const expected of [1, 0]) {
      const { id } = await recordOrder(ports(), order);
      const plan = await fulfilOrder(ports(), order, { id, attempts: 0 });
      expect(plan.purchases).toHaveLength(expected);
    }
  });

  it('lists 20,000 purchases without holding them, newest first, each once', async () => {
    await opened.database.pool.query(
      `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source, created_at)
       select org_id, gen_random_uuid(), (select id from customers limit 1), id, 1.50, 'EUR', 'card', 'api',
         now() - (number / 7) * interval '1 second'
       from products, generate_series(1, 20000) as number where slug = 'pads'`,
    );
    await opened.database.pool.query('analyze');
    const countArrived = watchArrivals();
    let count = 0;
    let ahead = 0;
    let first: WeakRef<object> | null = null;
    let last = { at: Number.POSITIVE_INFINITY, id: '' };
    for await (const row of opened.stores.purchases.list(shop.orgId)) {
      const at = row.createdAt.getTime();
      if (at > last.at || (at === last.at && row.id >= last.id)) throw new Error('Out of order');
      last = { at, id: row.id };
      first ??= new WeakRef(row);
      count += 1;
      ahead = Math.max(ahead, countArrived() - count);
      if (count === 20_000) await expectCollected(first);
    }
    // A page.
    expect(ahead).toBeLessThan(500);
    expect(count).toBeGreaterThan(20_000);
  });

  it('lists them as JSON without holding them, in the order of the rows', async () => {
    const ids: string[] = [];
    for await (const { id } of opened.stores.purchases.list(shop.orgId)) ids.push(id);
    const words = { amount: (amount: string) => amount, downloadUrl: (linkId: string) => linkId };
    const listed: string[] = [];
    for await (const text of opened.stores.purchases.listAsJson(shop.orgId, words)) {
      expect(text.length).toBeLessThan(1_000_000);
      for (const { id } of JSON.parse(`[${text}]`)) listed.push(id);
    }
    expect(listed).toEqual(ids);
  });

  it('pages through 5,000 deliveries and 5,000 download sessions, newest first, each once', async () => {
    const { pool } = opened.database;
    await pool.query(
      `insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, attempts)
       select delivery.org_id, gen_random_uuid(), platform, connection_id, body_id, received_at, 'success', 1
       from (select * from deliveries limit 1) delivery, generate_series(1, 5000)`,
    );
    await pool.query(
      `insert into download_sessions (org_id, id, link_id, product_id, started_at, last_byte_at)
       select link.org_id, gen_random_uuid(), link.id, product_id, now() - (number / 7) * interval '1 second', now()
       from (select * from download_links limit 1) link
       join purchases purchase on purchase.org_id = link.org_id and purchase.id = link.purchase_id,
         generate_series(1, 5000) as number`,
    );
    const deliveries = await listAll((page) =>
      opened.stores.deliveries.list(shop.orgId, { status: null, platform: null, ...page }),
    );
    expect(deliveries.length).toBeGreaterThan(5000);
    expect(deliveries).toEqual(deliveries.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
    const query = { text: '', state: null, now: new Date() } as const;
    const sessions = await listAll((page) =>
      opened.stores.sessions.search(shop.orgId, { ...query, ...page }),
    );
    expect(sessions).toHaveLength(5000);
    const isBefore = (a: (typeof sessions)[number], b: (typeof sessions)[number]) =>
      b.startedAt.getTime() - a.startedAt.getTime() || (a.id < b.id ? 1 : -1);
    expect(sessions).toEqual(sessions.toSorted(isBefore));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(5000);
    const period = { from: new Date(0), until: new Date(Date.now() + 60_000) };
    const reported: string[] = [];
    for await (const { id } of opened.stores.sessions.list(shop.orgId, period)) reported.push(id);
    expect(reported).toEqual(sessions.map(({ id }) => id).reverse());
  });

  it('leaves connections to others while a slow reader reads', async () => {
    const readers = Array.from({ length: 15 }, () =>
      opened.stores.purchases.list(shop.orgId)[Symbol.asyncIterator](),
    );
    for (const reader of readers) await reader.next();
    expect(await opened.stores.organisations.find(shop.orgId)).toMatchObject({ id: shop.orgId });
    for (const reader of readers) await reader.return?.();
  });

  it('gives its connection back when a reader of JSON goes away', async () => {
    const words = { amount: (amount: string) => amount, downloadUrl: (linkId: string) => linkId };
    for (let at = 0; at < 30; at += 1) {
      const reader = opened.stores.purchases.listAsJson(shop.orgId, words)[Symbol.asyncIterator]();
      await reader.next();
      await reader.return?.();
    }
    expect(await opened.stores.organisations.find(shop.orgId)).toMatchObject({ id: shop.orgId });
    await vi.waitFor(() => expect(opened.database.pool.idleCount).toBe(opened.database.pool.totalCount));
  });
});

async function listAll<Row extends { readonly id: string }>(
  fetchPage: (page: { readonly before: string | null; readonly limit: number }) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await fetchPage({ before: all.at(-1)?.id ?? null, limit: 200 });
    all.push(...page);
    if (page.length < 200) return all;
  }
}

/** Counts the rows that come from PostgreSQL during the test. */
function watchArrivals(): () => number {
  const { pool } = opened.database;
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  let arrived = 0;
  const spy = vi.spyOn(pool, 'connect').mockImplementation(async () => {
    const client = await connect();
    const query = async (...asked: [string, unknown[]?]) => {
      const answer = await client.query(...asked);
      arrived += answer.rows.length;
      return answer;
    };
    return { query, release: () => client.release() } as pg.PoolClient;
  });
  onTestFinished(() => spy.mockRestore());
  return () => arrived;
}

async function expectCollected(row: WeakRef<object>): Promise<void> {
  // Until the current task ends, a new reference holds its object.
  await setImmediate();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  expect(row.deref()).toBeUndefined();
}
