import { makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { firstIdAt } from '../src/statements/ids.ts';
import { count, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

it('records a webhook that came while the partition of its body was made', async () => {
  const maker = await opened.database.pool.connect();
  await maker.query('begin');
  await maker.query('lock table delivery_bodies_default in access exclusive mode');
  const recording = recordOrder(ports(), makeOrder(shop));
  await vi.waitUntil(async () => {
    const { rows } = await opened.database.pool.query(
      `select from pg_locks where relation = 'delivery_bodies_default'::regclass and not granted`,
    );
    return rows.length > 0;
  }, WAIT_TIMEOUT_MS);
  await maker.query('create table delivery_bodies_of_test (like delivery_bodies including all)');
  await maker.query(
    `alter table delivery_bodies attach partition delivery_bodies_of_test
     for values from ('00000000-0000-7000-8000-000000000000') to ('${firstIdAt(new Date('2100-01-01'))}')`,
  );
  await maker.query('commit');
  maker.release();
  try {
    await recording;
    expect(await count('delivery_bodies_of_test')).toBe(1);
  } finally {
    await opened.database.pool.query('drop table delivery_bodies_of_test');
  }
});
