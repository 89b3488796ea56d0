import { beginBulk, continueBulk } from '@handover/domain';
import { byOwner } from '@handover/testkit';
import { beforeAll, expect, it } from 'vitest';
import { clock, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

const BUYERS = 1_200;
const OF_ALL = {
  ...{ text: 'gmail', productId: null, customerId: null },
  ...{ source: null, receipt: null },
} as const;

it('counts, adds up and reaches the purchases of more than a thousand customers that match a text', async () => {
  const { pool } = opened.database;
  await pool.query(
    `insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
     select $1, gen_random_uuid(), n || '@gmail.test', n || '@gmail.test', 'Buyer', 'buyer gmail test', $2
     from generate_series(1, $3::integer) n`,
    [shop.orgId, clock.now(), BUYERS],
  );
  await pool.query(
    `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source, created_at)
     select $1, gen_random_uuid(), id, $2, 10.00, 'EUR', 'card', 'api', $3 from customers where org_id = $1`,
    [shop.orgId, shop.product.id, clock.now()],
  );
  clock.advance(1000);
  const { purchases, bulkActions, inTransaction } = opened.stores;
  expect(await purchases.sum(shop.orgId, OF_ALL)).toEqual([
    { currency: 'EUR', purchases: BUYERS, amount: '12000.00' },
  ]);
  expect(await purchases.countMatching(shop.orgId, OF_ALL, 100_000)).toBe(BUYERS);
  const bulk = { ...ports(), inTransaction };
  const asked = {
    ...{ id: ids.next(), orgId: shop.orgId, action: 'revoke' as const, total: BUYERS },
    ...{ askedAt: clock.now(), by: await byOwner(opened.stores, shop.orgId) },
  };
  await beginBulk(bulk, asked, OF_ALL);
  while ((await continueBulk(bulk, { orgId: shop.orgId, bulkId: asked.id })) !== 'done');
  const { done = 0, before = 0 } = (await bulkActions.find(shop.orgId, asked.id))?.counts ?? {};
  expect(done + before).toBe(BUYERS);
});
