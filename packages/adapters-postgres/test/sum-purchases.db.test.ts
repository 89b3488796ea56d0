import { beforeAll, expect, it } from 'vitest';
import { sumPurchases } from '../src/stores/reads/purchases/search-purchases.ts';
import { opened, openShopAnew, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

const OF_ALL = {
  ...{ text: '', productId: null, customerId: null },
  ...{ source: null, receipt: null },
} as const;

it('gives up a sum that takes too long, and the connection can be used afterwards', async () => {
  const { db, pool } = opened.database;
  const blocker = await pool.connect();
  try {
    await blocker.query('begin; lock table purchases in access exclusive mode');
    expect(await sumPurchases(db, shop.orgId, OF_ALL, 50)).toBe('took-too-long');
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect(await sumPurchases(db, shop.orgId, OF_ALL)).toEqual([]);
});
