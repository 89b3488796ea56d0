import { type Fulfilment, fulfilOrder } from '@handover/domain';
import { makeLine, makeOrder, recordOrder } from '@handover/testkit';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { openDatabase } from '../src/database/connect-database.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresFulfilment } from '../src/stores/writes/fulfilment/fulfilment.ts';
import { opened, openShopAnew, ports, sellOnce, shop } from './shop-of-the-test.ts';

openShopAnew(beforeAll);

const READS_ALL =
  /Seq Scan on (deliveries|delivery_lines|customers|purchases|receipts|purchase_aliases|alerts)\b/;

const SILENT = { warn: () => undefined, error: () => undefined };

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

it('finds everything of one shop by index, however large it is, and however PostgreSQL plans', async () => {
  await growShop((await sellOnce()).deliveryId);
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const fulfilment = createPostgresFulfilment(opened.database.db, opened.queue);
  for (const place of [0, 1, 2, 3])
    await Promise.all(Array.from({ length: 15 }, (_, at) => fulfil(15 * place + at, fulfilment)));
  const statements = new Map(
    asked.mock.calls
      .map(([query]: unknown[]) => query as Statement)
      .filter((query) => typeof query === 'object' && 'name' in query)
      .map((query) => [query.text, query]),
  );
  asked.mockRestore();
  expect(statements.size).toBeGreaterThan(12);
  for (const { text, values } of statements.values()) {
    // Otherwise a sharded database queries all its shards, or refuses.
    expect(text).not.toMatch(/org_id = (?!excluded)[a-z]|with [\s\S]*pg_advisory/);
    expect(await explain(`explain (costs off) ${text}`, values)).not.toMatch(READS_ALL);
    // The generic plan of a prepared statement.
    if (await canExplainPrepared()) {
      expect(await explain(`explain (costs off, generic_plan) ${text}`)).not.toMatch(READS_ALL);
    }
  }
});

it('makes new plans when the tables have grown without ANALYZE', async () => {
  await opened.database.pool.query('truncate delivery_lines, deliveries cascade');
  const single = openDatabase({
    url: opened.url,
    limits: { ...LIMITS.deciding, maxConnections: 1 },
    log: SILENT,
  });
  try {
    const fulfilment = createPostgresFulfilment(single.db, opened.queue);
    for (let at = 0; at < 10; at += 1) await fulfil(1000 + at, fulfilment);
    await single.pool.query(
      `insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, received_at, status, decided_at)
       select org_id, gen_random_uuid(), platform, connection_id, body_id, 'more-' || number, now(), 'success', now()
       from (select * from deliveries limit 1) first, generate_series(1, 30000) as number`,
    );
    for (let at = 0; at < 40; at += 1) await fulfil(1010 + at, fulfilment);
    const before = await countRead(single.pool);
    for (let at = 0; at < 10; at += 1) await fulfil(1050 + at, fulfilment);
    // A plan that reads all entries reads 300,000. Other connections may report their reads in the meantime.
    expect((await countRead(single.pool)) - before).toBeLessThan(100_000);
  } finally {
    await single.close();
  }
});

/** The number of entries that all connections read, by an index or otherwise. */
async function countRead(pool: pg.Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query(
    `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'deliveries')
       + (select seq_tup_read from pg_stat_user_tables where relname = 'deliveries') as count`,
  );
  return Number(rows[0].count);
}

async function explain(text: string, values?: readonly unknown[]): Promise<string> {
  const { rows } = await opened.database.pool.query(text, values && [...values]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function canExplainPrepared(): Promise<boolean> {
  const { rows } = await opened.database.pool.query('show server_version_num');
  return Number(rows[0].server_version_num) >= 160_000;
}

/** Some are sold, some are held, and some arrive again. */
async function fulfil(at: number, fulfilment: Fulfilment): Promise<void> {
  const order = makeOrder(shop, {
    orderId: `${at % 50}-${at > 60}`,
    customer: { email: `new-${at % 40}-${at > 60}@example.com`, name: 'Ana Lima' },
    lines: at % 3 === 0 ? [makeLine('unknown')] : [makeLine('PADS')],
  });
  const { id } = await recordOrder(ports(), order);
  await fulfilOrder({ ...ports(), fulfilment }, order, { id, attempts: 0 });
}

/** Adds twenty thousand rows to each table. */
async function growShop(deliveryId: string): Promise<void> {
  const { pool } = opened.database;
  const numbers = 'generate_series(1, 20000) as number';
  for (const statement of [
    `insert into deliveries (org_id, id, platform, connection_id, body_id, order_id, received_at, status, decided_at)
     select org_id, gen_random_uuid(), platform, connection_id, body_id, 'old-' || number, now(), 'success', now()
     from deliveries, ${numbers} where id = '${deliveryId}'`,
    `insert into customers (org_id, id, email, email_normalized, name, created_at)
     select org_id, gen_random_uuid(), 'old-' || number, 'old-' || number, name, now() from customers, ${numbers}`,
    `insert into outgoing_emails (org_id, id, kind, customer_id, connection_id, order_id, pending_since, next_try_at, created_at)
     select org_id, gen_random_uuid(), 'receipt', customer_id, connection_id, 'old-' || number, now(), now(), now()
     from outgoing_emails, ${numbers} where kind = 'receipt'`,
    `insert into purchases (org_id, id, customer_id, product_id, amount, currency, payment_method, source,
       connection_id, order_id, created_at)
     select org_id, gen_random_uuid(), customer_id, product_id, 1, 'EUR', 'card', source,
       connection_id, 'old-' || number, now()
     from purchases, ${numbers}`,
    // Otherwise the following foreign keys are checked by sequential scans, row by row.
    'analyze',
    `insert into delivery_lines (org_id, delivery_id, position, sku, outcome)
     select org_id, id, 0, 'PADS', 'delivered' from deliveries where id <> '${deliveryId}'`,
    `insert into purchase_aliases (org_id, purchase_id, candidate, sku)
     select org_id, id, 'sku', 'pads' from purchases on conflict do nothing`,
    `insert into alerts (org_id, about, cause, subject_id, delivery_id, platform, reason, at)
     select org_id, 'delivery ' || id, 'not-delivered', id, id, platform, 'Old.', now() from deliveries`,
    'analyze',
  ]) {
    await pool.query(statement);
  }
}
