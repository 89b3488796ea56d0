import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, inject, it } from 'vitest';
import { migrate } from '../src/index.ts';
import { createTestDatabase, openTestStores } from '../src/testing/index.ts';

it('lets several processes migrate an empty database at once', { timeout: 40_000 }, async () => {
  const { url, drop } = await createTestDatabase(inject('postgresUrl'));
  try {
    const codes = await Promise.all(Array.from({ length: 4 }, () => runMigration(url)));
    expect(codes).toEqual([0, 0, 0, 0]);
    await migrate(url);
  } finally {
    await drop();
  }
});

it('says that the database cannot be reached', async () => {
  await expect(migrate('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
    code: 'store-unavailable',
  });
});

it('begins every key of a tenant table with its organisation', async () => {
  const { database, close } = await openTestStores(inject('postgresUrl'));
  const { rows } = await database.pool.query<{ table: string; key: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
      and conrelid::regclass::text !~ '^(organisations|users|api_keys|kysely_.*)$'
  `);
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(({ key }) => !key.includes('KEY (org_id') && !key.includes('UNIQUE (org_id'))).toEqual(
    [],
  );
  await close();
});

async function runMigration(url: string): Promise<unknown> {
  const program = `
    import { migrate } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    await migrate(process.argv[1]);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, url], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code;
}
