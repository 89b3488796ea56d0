import { fulfilOrder } from '@handover/domain';
import { makeOrder, recordOrder } from '@handover/testkit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createPostgresFulfilment } from '../src/stores/writes/fulfilment/fulfilment.ts';
import { opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { startTcpProxy } from './tcp-proxy.ts';

// The names of a process are limited, and files that ran in it before could have taken them all.
vi.resetModules();
const { openDatabase } = await import('../src/database/connect-database.ts');
const { queryPrepared, toParameter } = await import('../src/database/prepared.ts');

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
  const alter = (what: string) => opened.database.pool.query(`alter ${what}`);
  try {
    // Often enough to be prepared.
    for (const orderId of ['1', '2', '3', '4']) await fulfil(orderId);
    await alter('table organisations alter column currency type varchar(100)');
    await expect(fulfil('5')).rejects.toMatchObject({ code: '0A000' });
    await fulfil('6');
    // A commit that fails is tried again step by step, over another connection.
    for (const orderId of ['7', '8', '9']) await fulfil(orderId);
    await alter('table catalogues alter column revision type numeric');
    await fulfil('10');
  } finally {
    await database.close();
    await alter('table organisations alter column currency type text');
    await alter('table catalogues alter column revision type bigint');
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

it('sends times and lists as the driver would', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }).map((value) => value.toWellFormed().replaceAll('\0', '')),
    fc.constantFrom('', 'NULL', 'null', '{}', '{"a"}', '\\', '"', ',', ' ', "'"),
  );
  // Local time had seconds in its offset before the 20th century, of which the driver leaves some out.
  const time = fc.date({ min: new Date('1970-01-01'), max: new Date('+020000-01-01'), noInvalidDate: true });
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(fc.option(item), { maxLength: 5 });
  const { pool } = opened.database;
  await fc.assert(
    fc.asyncProperty(
      ...[
        list(text),
        fc.array(list(text), { minLength: 1, maxLength: 1 }),
        list(fc.integer()),
        list(fc.boolean()),
      ],
      ...[list(fc.uint8Array()), list(fc.record({ a: text })), list(time), time],
      async (...values) => {
        const types = [
          'text[]',
          'text[]',
          'integer[]',
          'boolean[]',
          'bytea[]',
          'jsonb[]',
          'timestamptz[]',
          'timestamptz',
        ];
        const read = types.map((type, at) => `$${at + 1}::${type}::text as "${at} ${type}"`);
        const ask = async (parameters: unknown[]) => (await pool.query(`select ${read}`, parameters)).rows;
        expect(await ask(values.map(toParameter))).toEqual(await ask(values));
      },
    ),
    { numRuns: 100 },
  );
});

it.each([
  [new Date('-000500-02-03T04:05:06.007Z'), '0501-02-03 04:05:06.007+00 BC'],
  [new Date('0000-02-03T04:05:06.007Z'), '0001-02-03 04:05:06.007+00 BC'],
  [new Date('0001-02-03T04:05:06.007Z'), '0001-02-03 04:05:06.007+00'],
  [new Date('+010000-02-03T04:05:06.007Z'), '10000-02-03 04:05:06.007+00'],
])('sends the time %o of another era', async (time, expected) => {
  const { pool } = opened.database;
  const { rows } = await pool.query(`select ($1::timestamptz at time zone 'UTC')::text || '+00' as read`, [
    toParameter(time),
  ]);
  expect(rows[0].read.replace(' BC+00', '+00 BC')).toBe(expected);
});
