import { claimEmail, claimIdOf } from '@handover/testkit';
import { beforeAll, expect, it } from 'vitest';
import { clock, opened, openShopAnew, sell, sellOnce, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

let receiptId: string;
let deliveryId: string;

openShopAnew(beforeAll);

beforeAll(async () => {
  ({ deliveryId, receiptId } = await sellOnce());
});

it('claims and completes receipts by index, however much junk the shop was sent', async () => {
  await addJunk();
  const sold = [{ deliveryId, receiptId }, ...(await sell(20))];
  const { outgoingEmails } = opened.storesOfOne;
  const { result: claims, statements: claiming } = await watchStatements(opened, () =>
    Promise.all(sold.map((one) => claimEmail({ outgoingEmails }, shop.orgId, one.receiptId, clock.now()))),
  );
  const outcome = { kind: 'sent', at: clock.now(), answer: '250' } as const;
  const { statements: completing } = await watchStatements(opened, () =>
    Promise.all(
      claims.map((claim, index) =>
        outgoingEmails.complete(shop.orgId, sold[index]?.receiptId ?? '', claimIdOf(claim), outcome),
      ),
    ),
  );
  const statements = [...claiming, ...completing].filter(({ text }) => /deliveries|purchases/.test(text));
  expect(statements).toHaveLength(4);
  for (const { text, values } of statements) {
    const { rows } = await opened.database.pool.query(`explain (costs off) ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (deliver|purchases)|Merge Join|Hash/);
  }
  for (const one of sold) {
    const delivery = await opened.stores.deliveries.find(shop.orgId, one.deliveryId);
    expect(delivery).toMatchObject({ status: 'success' });
  }
});

/** Entries of the same shop with many lines that name one purchase. They are nearly all rows of the tables. */
async function addJunk(): Promise<void> {
  const { pool } = opened.database;
  await pool.query(
    `insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, decided_at)
     select org_id, gen_random_uuid(), platform, connection_id, body_id, now(), 'pending', now()
     from deliveries, generate_series(1, 1500) where id = $1`,
    [deliveryId],
  );
  await pool.query(
    `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source, created_at)
     select org_id, gen_random_uuid(), customer_id, product_id, 1, 'EUR', 'card', 'api', now()
     from purchases, generate_series(1, 20000)`,
  );
  const restore = await dropIndexes();
  await pool.query(
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, purchase_id)
     select org_id, id, number, 'JUNK', 'already-delivered',
       (select id from purchases where receipt_id is null limit 1)
     from deliveries, generate_series(1, 200) as number
     where id <> $1`,
    [deliveryId],
  );
  await restore();
  await pool.query('analyze');
}

/** Indexes and constraints. For this number of rows they take longer than everything else. */
async function dropIndexes(): Promise<() => Promise<unknown>> {
  const { pool } = opened.database;
  const { rows: indexes } = await pool.query<{ readonly name: string; readonly definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'delivery_lines' and indexname not like '%_pkey'`,
  );
  const { rows: references } = await pool.query<{ readonly name: string }>(
    `select conname as name from pg_constraint where conrelid = 'delivery_lines'::regclass and contype = 'f'`,
  );
  for (const { name } of references) await pool.query(`alter table delivery_lines drop constraint ${name}`);
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  return () => pool.query(indexes.map(({ definition }) => definition).join(';'));
}
