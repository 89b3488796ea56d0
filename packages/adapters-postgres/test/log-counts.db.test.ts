import { beforeAll, expect, it } from 'vitest';
import { countRead } from './count-read.ts';
import { opened, openShopAnew, sellOnce, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

openShopAnew(beforeAll);

const ROWS = 20_000;

beforeAll(async () => {
  await sellOnce();
  const { pool } = opened.database;
  await pool.query(
    `insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, attempts, order_id)
     select delivery.org_id, gen_random_uuid(), platform, connection_id, body_id, received_at, 'success', 1, 'y' || number
     from (select * from deliveries limit 1) delivery, generate_series(1, ${ROWS}) as number`,
  );
  await pool.query(
    `insert into connections
     select idle.* from connections connection
     cross join generate_series(1, 5) as number
     cross join lateral jsonb_populate_record(
       connection,
       jsonb_build_object('id', '00000000-0000-7000-8000-00000000000' || number, 'name', 'idle ' || number)
     ) idle`,
  );
  // Its row moves behind the others: they are counted before it.
  await pool.query(`update connections set name = name where name not like 'idle%'`);
  await pool.query('vacuum analyze');
}, 120_000);

it('counts the log up to its limit, and reads the table for no connection that received nothing', async () => {
  const { result, statements } = await watchStatements(opened, () =>
    opened.stores.deliveries.count(shop.orgId, null),
  );
  expect(result).toMatchObject({ success: 1001, error: 0 });
  expect(statements).toHaveLength(1);
  const { text = '', values = [] } = statements[0] ?? {};
  expect(await countRead(text, values)).toBeLessThan(ROWS / 2);
});
