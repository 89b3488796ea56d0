import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { copyOut, exportTables, FILE_LIST } from '../src/transfer/export-tables.ts';
import { type ImportedTable, importTables } from '../src/transfer/import-tables.ts';

// An error that nobody catches fails the run: vitest reports it.

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
  await opened.database.pool.query(
    `insert into organisations (id, name, email, created_at)
     select gen_random_uuid(), repeat('x', 100), 'a@example.com', now() from generate_series(1, 20000)`,
  );
});
afterAll(() => opened.close());

it('fails an export whose connection is lost while a table is read', async () => {
  const exported = exportTables(opened.url, null, async ({ name, rows }) => {
    let isFirst = true;
    for await (const _ of rows) {
      if (name === 'organisations' && isFirst) await endConnection(opened, 'export');
      isFirst = false;
    }
  });
  await expect(exported).rejects.toMatchObject({ code: 'store-unavailable' });
});

it('fails an export whose connection is lost between two tables', async () => {
  const exported = exportTables(opened.url, null, async ({ name, rows }) => {
    await setImmediate();
    await buffer(rows);
    if (name === 'organisations') await endConnection(opened, 'export');
  });
  await expect(exported).rejects.toMatchObject({ code: 'store-unavailable' });
});

it('fails the reader that comes after the connection was found lost', async () => {
  const client = new pg.Client({ connectionString: opened.url, application_name: 'handover lost' });
  const ended = new Promise((resolve) => client.on('error', () => undefined).once('end', resolve));
  await client.connect();
  await endConnection(opened, 'lost');
  await ended;
  const rows = copyOut(client, 'select 1');
  // As an export opens a file before it reads.
  await setImmediate();
  await expect(buffer(rows)).rejects.toThrow('not queryable');
});

it('fails an import whose connection is lost while a table is written, and nothing stays', async () => {
  const target = await openTestStores(inject('postgres'));
  onTestFinished(target.close);
  const tables: ImportedTable[] = [];
  await exportTables(opened.url, null, async ({ name, columns, rows }) => {
    const bytes = await buffer(rows);
    const count = bytes.filter((byte) => byte === 0x0a).length;
    const open = async function* () {
      yield bytes.subarray(0, bytes.length / 2);
      if (name === 'organisations') await endConnection(target, 'import');
      yield bytes.subarray(bytes.length / 2);
    };
    if (name !== FILE_LIST) tables.push({ name, columns, rows: count, open });
  });
  await expect(importTables(target.url, null, tables)).rejects.toMatchObject({ code: 'store-unavailable' });
  expect((await target.database.pool.query('select from organisations')).rowCount).toBe(0);
});

/** Of this database only: other files export theirs meanwhile. */
async function endConnection({ database }: TestStores, purpose: string): Promise<void> {
  const found = 'from pg_stat_activity where datname = current_database() and application_name = $1';
  // It answers once the process is gone, or after ten seconds.
  const { rows } = await database.pool.query(`select pg_terminate_backend(pid, 10000) as ended ${found}`, [
    `handover ${purpose}`,
  ]);
  expect(rows).toEqual([{ ended: true }]);
}
