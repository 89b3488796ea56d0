import { makeOrder, recordOrder } from '@handover/testkit';
import { beforeEach, expect, it } from 'vitest';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

openShopAnew(beforeEach);

/** Records one entry for each length of a body. */
function record(lengths: readonly number[]) {
  return Promise.all(
    lengths.map(async (length, at) => {
      const { id } = await recordOrder(ports(), makeOrder(shop, { orderId: `${at}` }));
      const text = 'select body_id from deliveries where id = $1';
      const body = await opened.database.pool.query(text, [id]);
      await opened.database.pool.query(
        `update delivery_bodies set bytes = convert_to(repeat('x', $2), 'UTF8') where id = $1`,
        [body.rows[0].body_id, length],
      );
      return id;
    }),
  );
}

/** The statements by which the entries are found together, and the lengths of their bodies. */
async function findAll(ids: readonly string[], orgId = shop.orgId) {
  const { result: found, statements } = await watchStatements(opened, () =>
    Promise.all(ids.map((id) => opened.storesOfOne.deliveries.find(orgId, id))),
  );
  return {
    statements: statements.length,
    lengths: found.map((entry) => entry && (entry.body?.bytes.length ?? 'no body')),
  };
}

it('finds concurrent requests by one statement, each with its own result', async () => {
  const ids = await record([1, 20, 300]);
  const [first = '', , third = ''] = ids;
  await opened.database.pool.query(
    'delete from delivery_bodies where id = (select body_id from deliveries where id = $1)',
    [third],
  );
  const unknown = '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
  expect(await findAll([...ids, unknown, first.toUpperCase()])).toEqual({
    statements: 1,
    lengths: [1, 20, 'no body', null, 1],
  });
});

it('reads long bodies one by one', async () => {
  const long = 600 * 1024;
  expect(await findAll(await record([100, long, long]))).toEqual({
    statements: 3,
    lengths: [100, long, long],
  });
});

it('finds nothing of another organisation', async () => {
  const other = '019c3f2b-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
  expect(await findAll(await record([1, 2]), other)).toEqual({ statements: 1, lengths: [null, null] });
});
