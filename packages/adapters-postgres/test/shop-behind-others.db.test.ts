import { beforeAll, expect, it } from 'vitest';
import type { TestStores } from '../src/testing/index.ts';
import { countScanned } from './count-read.ts';
import { clock, opened, openShopAnew, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

/**
 * A large shop that came after others has its rows at the end of the tables. PostgreSQL expects the rows of such a shop
 * everywhere: for a few of them, it would read the table from its beginning.
 */
const OF_OTHERS = 20_000;
const OWN = 2_000;

openShopAnew(beforeAll);
beforeAll(fillTables);

it.each<readonly [string, (stores: TestStores['stores']) => Promise<unknown>]>([
  ['which first steps it has completed', ({ actionItems }) => actionItems.firstSteps(shop.orgId)],
  ['whether it received an order', ({ deliveries }) => deliveries.hasReceived(shop.orgId, 'storefront-a')],
])('reads %s without the rows of other shops', async (_, read) => {
  const { statements } = await watchStatements(opened, () => read(opened.stores));
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements)
    expect(await countScanned(text, values), text).toBeLessThan(1000);
});

async function fillTables(): Promise<void> {
  const other = '00000000-0000-7000-8000-000000000001';
  await opened.database.pool.query(
    `insert into organisations (id, name, email, created_at) values ($1, 'Other', 'other@example.com', $2)`,
    [other, clock.now()],
  );
  const client = await opened.database.pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const [orgId, rows] of [
      [other, OF_OTHERS],
      [shop.orgId, OWN],
    ] as const) {
      await client.query(
        `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source, created_at)
         select '${orgId}', gen_random_uuid(), gen_random_uuid(), '${shop.product.id}', 10, 'EUR', 'card', 'api', now()
         from generate_series(1, ${rows});
         insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, received_at, status, attempts)
         select org_id, id, 'storefront-a', '${shop.connection.id}', id, id::text, now(), 'success', 1
         from purchases where org_id = '${orgId}'`,
      );
    }
    await client.query('reset session_replication_role; analyze');
  } finally {
    client.release();
  }
}
