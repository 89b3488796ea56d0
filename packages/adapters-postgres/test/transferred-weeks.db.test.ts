import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, inject, it, onTestFinished } from 'vitest';
import { listBodyWeeks, rotateWeeks } from '../src/stores/writes/maintenance/body-weeks.ts';
import { openTestStores } from '../src/testing/index.ts';
import { exportTables, FILE_LIST } from '../src/transfer/export-tables.ts';
import { type ImportedTable, importTables } from '../src/transfer/import-tables.ts';
import { after, NOW, opened, openWeeks, receive, THIS_WEEK, WEEK } from './weeks-of-the-test.ts';

it('brings bodies into the weeks that they were in, also where some of these are there', async () => {
  onTestFinished(await openWeeks());
  await rotateWeeks(opened.database.db, NOW, after(-WEEK));
  await receive(NOW);
  await receive(after(-9 * WEEK));
  const tables: ImportedTable[] = [];
  const { bodyWeeks } = await exportTables(opened.url, null, async ({ name, columns, rows }) => {
    const bytes = await buffer(rows);
    const count = bytes.filter((byte) => byte === 0x0a).length;
    if (name !== FILE_LIST) tables.push({ name, columns, rows: count, open: () => Readable.from([bytes]) });
  });
  const target = await openTestStores(inject('postgres'));
  onTestFinished(target.close);
  await rotateWeeks(target.database.db, after(2 * WEEK), NOW);
  const wrong = { table: 'delivery_bodies_x', bounds: 'DEFAULT; drop table users' };
  await importTables(target.url, null, tables, [wrong, ...bodyWeeks]);
  const weeks = await listBodyWeeks(target.database.db);
  expect(weeks).toEqual(expect.arrayContaining([...(await listBodyWeeks(opened.database.db))]));
  const { rows } = await target.database.pool.query(
    'select tableoid::regclass::text as week, count(*)::integer as count from delivery_bodies group by 1 order by 1',
  );
  expect(rows).toEqual([
    { week: THIS_WEEK, count: 1 },
    { week: 'delivery_bodies_default', count: 1 },
  ]);
});
