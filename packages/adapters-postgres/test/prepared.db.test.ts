import { fulfilOrder } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../src/database/connect-database.ts';
import { queryPrepared } from '../src/database/prepared.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresFulfilment } from '../src/stores/writes/fulfilment/fulfilment.ts';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { startTcpProxy } from './tcp-proxy.ts';

openShopAnew(beforeEach);

const SILENT = { warn: () => undefined, error: () => undefined };

it('continues on a new connection after a migration changed the result of a statement', async () => {
  const limits = { ...LIMITS.deciding, maxConnections: 1 };
  const database = openDatabase({ url: opened.url, log: SILENT, limits });
  const fulfilment = createPostgresFulfilment(database.db, opened.queue);
  const fulfil = async (orderId: string) => {
    const order = makeOrder(shop, { orderId });
    const { id } = await recordOrder(ports(), order);
    return fulfilOrder({ ...ports(), fulfilment }, order, { id, attempts: 0 });
  };
  try {
    // Often enough to be prepared.
    for (const orderId of ['1', '2', '3', '4']) await fulfil(orderId);
    await opened.database.pool.query('alter table deliveries alter column platform type varchar(100)');
    await expect(fulfil('5')).rejects.toMatchObject({ code: '0A000' });
    await fulfil('6');
  } finally {
    await database.close();
    await opened.database.pool.query('alter table deliveries alter column platform type text');
  }
});

it('prepares repeated statements once, and never those that differ each time', async () => {
  const limits = { ...LIMITS.deciding, maxConnections: 1 };
  const { db, pool, close } = openDatabase({ url: opened.url, log: SILENT, limits });
  try {
    for (let at = 0; at < 1_100; at += 1) await sql.raw(`select ${at} + 1`).execute(db);
    for (let at = 0; at < 5; at += 1) await sql`select ${at}::integer + 2`.execute(db);
    const { rows } = await pool.query(
      'select statement, generic_plans, custom_plans from pg_prepared_statements',
    );
    expect(rows).toEqual([{ statement: 'select $1::integer + 2', generic_plans: '3', custom_plans: '0' }]);
  } finally {
    await close();
  }
});

it('prepares no statement through a pooler, because the next transaction can run in another session', async () => {
  const pooler = await startTcpProxy(opened.url, { changeProcessIds: true });
  const limits = { ...LIMITS.deciding, maxConnections: 1 };
  const { db, pool, close } = openDatabase({ url: pooler.url, log: SILENT, limits });
  try {
    for (let at = 0; at < 5; at += 1) await sql`select ${at}::integer + 2`.execute(db);
    for (let at = 0; at < 5; at += 1) await queryPrepared(pool, 'select $1::integer + 3', [at]);
    expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0);
  } finally {
    await close();
    await pooler.close();
  }
});

it('prepares no statement of pages, whose plans depend on their values', async () => {
  const limits = { ...LIMITS.pages, maxConnections: 1 };
  const { db, pool, close } = openDatabase({ url: opened.url, log: SILENT, limits });
  try {
    for (let at = 0; at < 5; at += 1) await sql`select ${at}::integer + 2`.execute(db);
    expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0);
  } finally {
    await close();
  }
});
