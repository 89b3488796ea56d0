import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { distributeDatabase } from '../src/distribution/distribute-database.ts';
import { DISTRIBUTION_COLUMN, PLACEMENTS } from '../src/distribution/placements.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});
afterAll(() => opened.close());

const query = async <Row extends pg.QueryResultRow>(text: string) =>
  (await opened.database.pool.query<Row>(text)).rows;
const isDistributed = (name: string) => PLACEMENTS[name]?.kind === 'distributed';

it('says of every table where it is on a database that is distributed', async () => {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  expect(Object.keys(PLACEMENTS).toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

it('distributes only tables of which every key begins with the organisation', async () => {
  const keys = await query<{ table: string; column: string }>(
    `select relname as table, attname as column
     from pg_index
     join pg_class on pg_class.oid = indrelid
     join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indisunique and relnamespace = current_schema()::regnamespace and not relispartition`,
  );
  const distributed = keys.filter(({ table }) => isDistributed(table));
  expect(new Set(distributed.map(({ table }) => table)).size).toBe(
    Object.keys(PLACEMENTS).filter(isDistributed).length,
  );
  expect(distributed.filter(({ column }) => column !== DISTRIBUTION_COLUMN)).toEqual([]);
});

it('lets tables refer only to what is on their node', async () => {
  const references = await query<{ table: string; refers: string; first: string }>(
    `select conrelid::regclass::text as table, confrelid::regclass::text as refers, attname as first
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
  );
  expect(references.length).toBeGreaterThan(30);
  const impossible = references.filter(({ table, refers, first }) => {
    const to = PLACEMENTS[refers]?.kind;
    if (to === 'reference') return false;
    if (to === 'distributed') return !isDistributed(table) || first !== DISTRIBUTION_COLUMN;
    return PLACEMENTS[table]?.kind !== 'local';
  });
  expect(impossible).toEqual([]);
});

it('refuses a database without Citus, says how to install it, and changes nothing', async () => {
  const read = () => query(`select xmin::text, relname from pg_class where relkind = 'r' order by oid`);
  const before = await read();
  await expect(distributeDatabase(opened.url)).rejects.toMatchObject({
    code: 'not-distributable',
    message: expect.stringMatching(/has no Citus.*postgresql-\d+-citus.*create extension citus/),
  });
  expect(await read()).toEqual(before);
});
