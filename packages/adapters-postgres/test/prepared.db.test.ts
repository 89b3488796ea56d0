import { fulfilOrder } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/domain/testing';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../src/connect-database.ts';
import { LIMITS } from '../src/purposes.ts';
import { createPostgresFulfilment } from '../src/stores/fulfilment.ts';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

it('goes on over a new connection when a migration has changed what a statement answers', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const limits = { ...LIMITS.deciding, maxConnections: 1 };
  const database = openDatabase({ url: opened.url, log, limits });
  const fulfilment = createPostgresFulfilment(database.db, opened.queue);
  const fulfil = async (orderId: string) => {
    const order = makeOrder(shop, { orderId });
    const { id } = await recordOrder(ports(), order);
    return fulfilOrder({ ...ports(), fulfilment }, order, { id, attempts: 0 });
  };
  try {
    await fulfil('1');
    await opened.database.pool.query('alter table deliveries alter column platform type varchar(100)');
    await expect(fulfil('2')).rejects.toMatchObject({ code: '0A000' });
    await fulfil('3');
  } finally {
    await database.close();
    await opened.database.pool.query('alter table deliveries alter column platform type text');
  }
});
