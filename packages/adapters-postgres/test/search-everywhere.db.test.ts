import { readSearch } from '@handover/domain';
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
    `insert into customers (org_id, id, email, email_normalized, name, search_words, created_at)
     select $1::uuid, gen_random_uuid(), 'b' || number || '@example.com', 'b' || number || '@example.com', 'Buyer ' || number,
       'buyer ' || number || ' b' || number || ' example com', now()
     from generate_series(1, ${ROWS}) as number`,
    [shop.orgId],
  );
  await pool.query(
    `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source,
       connection_id, order_id, order_number, created_at)
     select sold.org_id, gen_random_uuid(), customer_id, product_id, amount, currency, payment_method, source,
       connection_id, 'x' || number, '#' || number, now() - number * interval '1 second'
     from (select * from purchases limit 1) sold, generate_series(10000, ${ROWS + 10_000}) as number`,
  );
  await pool.query(
    `insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, attempts, order_id,
       order_number, email_normalized)
     select delivery.org_id, gen_random_uuid(), platform, connection_id, body_id, received_at, 'success', 1,
       'y' || number, '#' || number, 'b' || number || '@example.com'
     from (select * from deliveries limit 1) delivery, generate_series(10000, ${ROWS + 10_000}) as number`,
  );
  await pool.query(
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, purchase_id)
     select delivery.org_id, delivery.id, 9, 'Felt', 'delivered', product_id, purchase_id
     from (select * from delivery_lines limit 1) delivered,
       (select * from deliveries where order_id like 'y%' and order_id not in ('y29998', 'y29999')) delivery`,
  );
  // A vacuum merges what waits to be added to an index of words.
  await pool.query('vacuum analyze');
}, 120_000);

it.each([
  ['#12345', 1],
  ['12345', 2],
  ['b777@example.com', 5],
  ['buyer 4321', 1],
  ['pads', 1],
  ['nobody', 0],
])('asks one statement for %s, and reads a few rows of 20,000', async (text, found) => {
  const { result, statements } = await watchStatements(opened, () => find(text));
  expect(statements).toHaveLength(1);
  expect(result).toHaveLength(found);
  expect(await countRead(statements[0]?.text ?? '', statements[0]?.values ?? [])).toBeLessThan(300);
});

it('reads no more than a thousand of each meaning, however many begin so, and finds the exact one', async () => {
  const { result, statements } = await watchStatements(opened, () => find('b1'));
  expect(result).toHaveLength(5);
  const [statement] = statements;
  // Candidates of buyers, from an index that names each of them.
  expect(await countRead(statement?.text ?? '', statement?.values ?? [])).toBeLessThan(2 * ROWS);
  const numbers = await find('1');
  expect(numbers).toHaveLength(10);
  await opened.database.pool.query(`update purchases set order_number = '#1' where order_number = '#29999'`);
  expect((await find('#1'))[0]).toMatchObject({ kind: 'order', title: '#1', isExact: true });
});

it('finds an order that waits, however many of its SKU were delivered before', async () => {
  const { pool } = opened.database;
  await pool.query(
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome, product_id, purchase_id)
     select delivery.org_id, delivery.id, 0, 'Tote-' || order_number, 'delivered', product_id, purchase_id
     from (select * from delivery_lines where purchase_id is not null limit 1) delivered,
       (select * from deliveries where order_id like 'y%' and order_id not in ('y29998', 'y29999') order by id limit 2000) delivery`,
  );
  await pool.query(
    `with waiting as (update deliveries set status = 'error' where order_id = 'y29999' returning *)
     insert into delivery_lines (org_id, delivery_id, position, sku, outcome)
     select org_id, id, 0, 'Tote-Z', 'unmatched' from waiting`,
  );
  for (const text of ['tote', 'tote-z']) {
    const hits = await find(text);
    expect(hits.map(({ kind, title }) => `${kind} ${title}`)).toEqual(['entry #29999']);
  }
});

it('finds an order that waits, however many lines of its SKU are ignored', async () => {
  const { pool } = opened.database;
  await pool.query(
    `with ignored as (
       update deliveries set status = 'ignored'
       where id in (select id from deliveries where order_id between 'y10000' and 'y12000') returning *
     )
     insert into delivery_lines (org_id, delivery_id, position, sku, outcome)
     select org_id, id, 1, 'Gift-' || order_number, 'not-ours' from ignored`,
  );
  await pool.query(
    `with waiting as (update deliveries set status = 'error' where order_id = 'y29998' returning *)
     insert into delivery_lines (org_id, delivery_id, position, sku, outcome, sku_key)
     select org_id, id, 0, 'Gift-Z', 'unmatched', 'gift-z' from waiting`,
  );
  await pool.query('vacuum analyze delivery_lines');
  const { result, statements } = await watchStatements(opened, () => find('gift'));
  expect(result[0]).toMatchObject({ title: '#29998', status: 'error' });
  // Of the entries that it finds, it reads the lines, and not all lines that were delivered.
  const [statement] = statements;
  const read = await countRead(statement?.text ?? '', statement?.values ?? []);
  expect(read).toBeLessThan(ROWS);
});

function find(text: string) {
  return opened.stores.search.find(shop.orgId, { terms: readSearch(text), includesSales: true, limit: 5 });
}
