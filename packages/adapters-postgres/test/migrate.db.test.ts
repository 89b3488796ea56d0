import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { migrate } from '../src/index.ts';
import { firstTables } from '../src/migrations/0001-first-tables.ts';
import { createEmptyDatabase, openTestStores } from '../src/testing/index.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { WITHOUT_JOBS } from './without-jobs.ts';
import { WITHOUT_OUTGOING_EMAILS } from './without-outgoing-emails.ts';

it('lets several processes migrate an empty database at once', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  try {
    const codes = await Promise.all(Array.from({ length: 4 }, () => runMigration(url)));
    expect(codes).toEqual([0, 0, 0, 0]);
    await migrate(url);
  } finally {
    await drop();
  }
});

it('only looks at a database that is up to date, and waits for nobody', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  await migrate(url);
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  try {
    // All that a migration would wait for: its lock and its table.
    await blocker.query('begin; lock table kysely_migration in access exclusive mode');
    await blocker.query('select pg_advisory_lock(7204816335)');
    await migrate(url);
  } finally {
    await blocker.end();
    await drop();
  }
});

it('brings a database up to date that another version left', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      delete from kysely_migration where name in ('0035-jobs', '0036-releases', '0037-outgoing-emails');
      comment on table kysely_migration is 'handover 0';
      drop table releases;
      drop index lines_of_sku;
      ${WITHOUT_OUTGOING_EMAILS}
      ${WITHOUT_JOBS}
      create table reruns (org_id uuid, delivery_id uuid, kind text, attempts integer, due_at timestamptz);
    `);
    await migrate(url);
    expect((await client.query('select from jobs')).rows).toEqual([]);
  } finally {
    await client.end();
    await drop();
  }
});

it('brings a database up to date that has a later migration, and not one that was finished after it', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      delete from kysely_migration where name = '0034-entries-of-an-order';
      comment on table kysely_migration is 'handover 0';
    `);
    await migrate(url);
    const { rows } = await client.query(`select from kysely_migration where name like '0034-%'`);
    expect(rows).toHaveLength(1);
  } finally {
    await client.end();
    await drop();
  }
});

it('says that the database cannot be reached', async () => {
  await expect(migrate('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
    code: 'store-unavailable',
  });
});

it('says so, and ends nothing, when the connection is lost in the middle', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  await migrate(url);
  const wire = await startTcpProxy(url);
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  // As a former program would have left it.
  await blocker.query('comment on table kysely_migration is null');
  // What it reads of other sessions, a transaction reads once.
  const observer = new pg.Client({ connectionString: url });
  await observer.connect();
  const uncaught = vi.fn();
  process.on('uncaughtException', uncaught);
  try {
    await blocker.query('begin; lock table kysely_migration in access exclusive mode');
    const migrating = expect(migrate(wire.url)).rejects.toMatchObject({ code: 'store-unavailable' });
    await vi.waitFor(async () => {
      const { rows } = await observer.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    }, WAIT_TIMEOUT_MS);
    await wire.cut();
    await migrating;
    expect(uncaught).not.toHaveBeenCalled();
  } finally {
    process.off('uncaughtException', uncaught);
    await blocker.end();
    await observer.end();
    await wire.close();
    await drop();
  }
});

it('finds what was held or unmatched before a delivery said for what', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const pool = new pg.Pool({ connectionString: url });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const provider = { getMigrations: async () => ({ '0001-first-tables': firstTables }) };
  expect((await new Migrator({ db, provider }).migrateToLatest()).error).toBe(undefined);
  const id = '00000000-0000-7000-8000-000000000001';
  await pool.query(`
    insert into organisations (id, name, email, created_at) values ('${id}', 'Lumen', 'a@x', now());
    insert into connections (org_id, id, platform, name, created_at)
      values ('${id}', '${id}', 'cart-a', 'main', now());
    insert into delivery_bodies (org_id, id, bytes, headers) values ('${id}', '${id}', '', '{}');
    insert into deliveries (org_id, id, platform, connection_id, body_id, received_at, status, reason)
    select '${id}', gen_random_uuid(), 'cart-a', '${id}', '${id}', now(), status, reason
    from (values
      ('held', 'The subscription expired. Renewing it delivers this order.'),
      ('held', 'PADS: the product “Pads” is still a draft.'),
      ('error', 'The subscription expired. Or so they say.')
    ) as row (status, reason)
  `);
  await pool.query(`
    insert into delivery_lines (org_id, delivery_id, position, sku, outcome, reason)
    select org_id, id, position, sku, 'unmatched', reason
    from (select org_id, id from deliveries where status = 'error') entry, (values
      (0, ' Drum Kit ', 'No product is known for SKU  Drum Kit . Map it to a product, or mark it “not ours”.'),
      (1, 'Gift', 'The line “Gift” has no SKU that could name a product.')
    ) as line (position, sku, reason)
  `);
  await migrate(url);
  const { rows } = await pool.query('select status, held_for from deliveries order by status, held_for');
  expect(rows).toEqual([
    { status: 'error', held_for: null },
    { status: 'held', held_for: 'products' },
    { status: 'held', held_for: 'subscription' },
  ]);
  const lines = await pool.query('select candidate, sku_key, platform from delivery_lines order by position');
  expect(lines.rows).toEqual([
    { candidate: 'sku', sku_key: 'drum kit', platform: 'cart-a' },
    { candidate: null, sku_key: null, platform: null },
  ]);
  const bodies = await pool.query('select received_at is not null as known from delivery_bodies');
  expect(bodies.rows).toEqual([{ known: true }]);
  await db.destroy();
  await drop();
});

it('begins every key of a tenant table with its organisation', async () => {
  const { database, close } = await openTestStores(inject('postgres'));
  const { rows } = await database.pool.query<{ table: string; key: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
      and conrelid::regclass::text !~ '^(organisations|users|api_keys|sign_ins|user_sessions|throttles|payment_accounts|unassigned_deliveries|turns|jobs|kysely_.*)$'
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
