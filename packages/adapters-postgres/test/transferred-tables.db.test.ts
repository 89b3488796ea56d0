import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { exportTables, FILE_LIST } from '../src/transfer/export-tables.ts';
import { LEFT_OUT, LEFT_WITH_INSTALLATION, TRANSFERRED } from '../src/transfer/transferred-tables.ts';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});
afterAll(() => opened.close());

const query = async <Row extends pg.QueryResultRow>(text: string) =>
  (await opened.database.pool.query<Row>(text)).rows;

it('says of every table whether and how it is exported', async () => {
  const tables = await query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname not like 'kysely%'`,
  );
  const known = [...TRANSFERRED.map(({ name }) => name), ...LEFT_OUT];
  expect(known.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

it('has each table after those that it refers to, or sets the reference later', async () => {
  const keys = await query<{ table: string; refers: string; columns: string[] }>(
    `select conrelid::regclass::text as table, confrelid::regclass::text as refers,
       array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
       and not condeferrable`,
  );
  expect(keys.length).toBeGreaterThan(30);
  const names = TRANSFERRED.map(({ name }) => name);
  const early = keys.filter(({ table, refers, columns }) => {
    const later = TRANSFERRED.find(({ name }) => name === table)?.setLater;
    if (later && later.after === refers && columns.includes(later.column)) return false;
    return names.indexOf(table) <= names.indexOf(refers);
  });
  expect(early).toEqual([]);
});

it('exports an organisation from each table that has its id, but for what the installation decides', async () => {
  const tables = await query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'org_id'`,
  );
  const ofOrganisation = TRANSFERRED.filter((table) => table.ofOrganisation !== null).map(({ name }) => name);
  const expected = tables
    .map(({ name }) => name)
    .filter((name) => !/_default$|_w\d/.test(name) && !LEFT_WITH_INSTALLATION.includes(name));
  expect(ofOrganisation.toSorted()).toEqual([...expected, 'organisations', 'api_keys'].toSorted());
});

it('exports every table as of one moment, whatever is written meanwhile', async () => {
  const counts: Record<string, number> = {};
  let written = 0;
  const add = () =>
    opened.database.pool.query(
      `with made as (insert into organisations (id, name, email, created_at)
         values (gen_random_uuid(), 'Halo', 'halo@example.com', now()) returning id)
       insert into catalogues (org_id) select id from made`,
    );
  await add();
  const snapshot = await exportTables(opened.url, null, async ({ name, rows }) => {
    let text = '';
    for await (const chunk of rows) text += String(chunk);
    counts[name] = text.split('\n').length - 1;
    await add();
    written += 1;
  });
  expect(written).toBe(TRANSFERRED.length + 1);
  expect(counts).toMatchObject({ organisations: 1, catalogues: 1, users: 0, [FILE_LIST]: 0 });
  expect(snapshot.schema).toMatch(/^\d{4}-/);
});
