import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fulfilOrder } from '@handover/domain';
import { makeLine, makeOrder, publishProduct, recordOrder } from '@handover/domain/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRows } from './count-rows.ts';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

describe('volume', () => {
  it('takes an order of 50,000 lines', async () => {
    for (let number = 0; number < 50; number += 1) await publishProduct(ports(), shop.orgId, `Kit ${number}`);
    const lines = Array.from({ length: 50_000 }, (_, at) =>
      makeLine(at % 2 ? `Kit ${at % 50}` : `unknown ${at}`),
    );
    const order = makeOrder(shop, { lines });
    const { id } = await recordOrder(ports(), order);
    const startedAt = Date.now();
    const plan = await fulfilOrder(ports(), order, { id, attempts: 0 });
    console.log(`50,000 lines: ${Date.now() - startedAt} ms`);
    expect(plan.purchases).toHaveLength(25);
    expect(await countRows(opened, 'delivery_lines')).toBe(50_000);
  });

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

  it('lists 200,000 purchases without holding them, newest first, each once', {
    timeout: 60_000,
  }, async () => {
    await opened.database.pool.query(
      `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source, created_at)
       select org_id, gen_random_uuid(), (select id from customers limit 1), id, 1.50, 'EUR', 'card', 'api',
         now() - (number / 7) * interval '1 second'
       from products, generate_series(1, 200000) as number where slug = 'pads'`,
    );
    await opened.database.pool.query('analyze');
    const collect = exposeGc();
    let count = 0;
    let last = { at: Number.POSITIVE_INFINITY, id: '' };
    let heap = 0;
    const startedAt = Date.now();
    for await (const { id, createdAt } of opened.stores.purchases.list(shop.orgId)) {
      const at = createdAt.getTime();
      if (at > last.at || (at === last.at && id >= last.id)) throw new Error('Out of order');
      last = { at, id };
      count += 1;
      if (count % 20_000 !== 0) continue;
      collect();
      const now = process.memoryUsage().heapUsed;
      heap ||= now;
      expect(now - heap).toBeLessThan(10_000_000);
    }
    console.log(`${count} purchases: ${Date.now() - startedAt} ms`);
    expect(count).toBeGreaterThan(200_000);
  });

  it('leaves connections to others while a slow reader reads', async () => {
    const readers = Array.from({ length: 15 }, () =>
      opened.stores.purchases.list(shop.orgId)[Symbol.asyncIterator](),
    );
    for (const reader of readers) await reader.next();
    expect(await opened.stores.organisations.find(shop.orgId)).toMatchObject({ id: shop.orgId });
    for (const reader of readers) await reader.return?.();
  });
});

function exposeGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
