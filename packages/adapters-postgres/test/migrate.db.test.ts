import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { migrate, prepareSchema } from '../src/index.ts';
import { MIGRATIONS } from '../src/migrations/migrate.ts';
import { createEmptyDatabase, openTestStores } from '../src/testing/index.ts';
import { exportTables } from '../src/transfer/export-tables.ts';
import { startTcpProxy } from './tcp-proxy.ts';

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

it('waits for another migration without a transaction that its indexes would wait for', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await other.query('select pg_advisory_lock(7204816335)');
    const migrating = migrate(url);
    await vi.waitUntil(async () => {
      const { rows } = await other.query(
        `select from pg_stat_activity
        where datname = current_database() and application_name = 'handover migration'
          and state = 'idle' and query = 'rollback'`,
      );
      return rows.length === 1;
    }, WAIT_TIMEOUT_MS);
    await other.query('select pg_advisory_unlock(7204816335)');
    expect(await migrating).toMatchObject({ applied: expect.any(Array) });
  } finally {
    await other.end();
    await drop();
  }
});

it('only reads a database that is up to date, and waits for no lock', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  await migrate(url);
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  try {
    // A migration would wait only for its lock and its table.
    await blocker.query('begin; lock table kysely_migration in access exclusive mode');
    await blocker.query('select pg_advisory_lock(7204816335)');
    await migrate(url);
  } finally {
    await blocker.end();
    await drop();
  }
});

it('builds indexes for as long as they take, whatever limit the role has', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const names = Object.keys(MIGRATIONS);
  const before = names.slice(0, names.indexOf('0011-activity-filters')).at(-1) ?? '';
  await migrate(url, { until: before });
  const blocker = new pg.Client({ connectionString: url });
  const watcher = new pg.Client({ connectionString: url });
  await Promise.all([blocker.connect(), watcher.connect()]);
  try {
    const name = new URL(url).pathname.slice(1);
    await blocker.query(`alter database ${name} set statement_timeout = '400ms'`);
    // A concurrent build of an index waits for it.
    await blocker.query('begin; lock table activity in row exclusive mode');
    const migrating = migrate(url);
    const isOverLimit = `select from pg_stat_activity where datname = current_database()
      and query like 'create index%' and state = 'active' and clock_timestamp() - query_start > interval '600 ms'`;
    await vi.waitFor(
      async () => expect((await watcher.query(isOverLimit)).rowCount).toBe(1),
      WAIT_TIMEOUT_MS,
    );
    await blocker.query('commit');
    await migrating;
    expect((await migrate(url)).applied).toEqual([]);
  } finally {
    await Promise.all([blocker.end(), watcher.end()]);
    await drop();
  }
});

it.each([
  // Until PostgreSQL 16 there is no such limit.
  ['transaction_timeout', '150ms'],
  // The transaction with the lock would keep the snapshot that a concurrent index waits for.
  ['default_transaction_isolation', 'repeatable read'],
])(
  'migrates and exports also where the default of %s is %s',
  async (setting, value) => {
    const { url, drop } = await createEmptyDatabase(inject('postgres').url);
    onTestFinished(drop);
    const name = new URL(url).pathname.slice(1);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rowCount } = await client.query('select from pg_settings where name = $1', [setting]);
    if (rowCount) await client.query(`alter database ${name} set ${setting} = '${value}'`);
    await client.end();
    await migrate(url);
    expect((await migrate(url)).applied).toEqual([]);
    const { schema } = await exportTables(url, null, async ({ rows }) => {
      await rows.resume().toArray();
      await pause(10);
    });
    expect(schema).toBe(Object.keys(MIGRATIONS).at(-1));
  },
  30_000,
);

it('refuses the tables of a version that it does not know, and leaves them as they are', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refuse = async (recorded: string, remedy: RegExp) => {
    await client.query(`delete from kysely_migration; insert into kysely_migration values ${recorded}`);
    const code = 'unknown-schema';
    await expect(migrate(url)).rejects.toMatchObject({ code, message: expect.stringMatching(remedy) });
    const { rows } = await client.query(
      `select name from kysely_migration union all select tablename from pg_tables where schemaname = 'public'
       order by name`,
    );
    return rows.map(({ name }) => name);
  };
  try {
    await client.query(`
      create table kysely_migration (name text primary key, timestamp text);
      comment on table kysely_migration is 'handover 0';
    `);
    const former = `('0001-first-tables', ''), ('0002-sales-and-sessions', '')`;
    expect(
      await refuse(former, /before the first release.*another DATABASE_URL, or another DATA_DIR/),
    ).toEqual(['0001-first-tables', '0002-sales-and-sessions', 'kysely_migration']);
    expect(await refuse(`('9999-later', '')`, /newer version.*9999-later.*Install that version/)).toEqual([
      '9999-later',
      'kysely_migration',
    ]);
  } finally {
    await client.end();
    await drop();
  }
});

it('says what it did, migration by migration, and nothing the second time', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const names = Object.keys(MIGRATIONS);
  const schema = names.at(-1);
  try {
    const first = await migrate(url, { until: '0001-initial' });
    expect(first).toMatchObject({
      schema: '0001-initial',
      applied: [{ name: '0001-initial', kind: 'tables' }],
    });
    const rest = await migrate(url);
    expect([rest.schema, rest.applied.map(({ name }) => name)]).toEqual([schema, names.slice(1)]);
    expect(await migrate(url)).toEqual({ schema, applied: [] });
  } finally {
    await drop();
  }
});

it('refuses tables that it would have to migrate, and those of a newer program unless they allow it', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const refuse = (code: string, message: RegExp) =>
    expect(prepareSchema(url)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  try {
    await migrate(url, { until: '0001-initial' });
    await refuse('schema-outdated', /lacks 0002-fewer-indexes.+Run: handover migrate/);
    await migrate(url);
    expect(await prepareSchema(url)).toEqual({ kind: 'current' });
    await client.query(`insert into kysely_migration values ('9999-later', '')`);
    await client.query(`comment on table kysely_migration is 'handover 1 9999-later'`);
    await refuse('unknown-schema', /This program is older than the database.*Install that version/);
    await client.query(`comment on table kysely_migration is 'handover 1 0002-fewer-indexes'`);
    expect(await prepareSchema(url)).toEqual({ kind: 'newer-compatible', latest: '9999-later' });
    // It has nothing to do, and keeps what the newer program wrote.
    expect((await migrate(url)).applied).toEqual([]);
    expect(await prepareSchema(url)).toMatchObject({ kind: 'newer-compatible' });
  } finally {
    await client.end();
    await drop();
  }
});

it('makes the tables of an empty database once, however many processes open it', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  try {
    const states = await Promise.all(Array.from({ length: 4 }, () => prepareSchema(url)));
    expect(states).toEqual(states.map(() => ({ kind: 'current' })));
    expect((await migrate(url)).applied).toEqual([]);
  } finally {
    await drop();
  }
});

it('waits for a migration without a snapshot, for whose end concurrent indexes would wait', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('select pg_advisory_lock(7204816335)');
    const waiting = migrate(url);
    const listWaiting = async () =>
      (
        await holder.query(
          `select state, backend_xmin from pg_stat_activity
            where datname = current_database() and application_name = 'handover migration'`,
        )
      ).rows;
    await expect
      .poll(listWaiting, { timeout: 20_000 })
      .toContainEqual({ state: 'idle in transaction', backend_xmin: null });
    await holder.query('select pg_advisory_unlock(7204816335)');
    expect((await waiting).applied).toHaveLength(Object.keys(MIGRATIONS).length);
  } finally {
    await holder.end();
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
  // The state that a former program left.
  await blocker.query('comment on table kysely_migration is null');
  // A transaction reads the statistics of other sessions only once.
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

it('begins every key of a tenant table with its organisation', async () => {
  const { database, close } = await openTestStores(inject('postgres'));
  const { rows } = await database.pool.query<{ table: string; key: string }>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
      and conrelid::regclass::text !~ '^(organisations|users|api_keys|sign_ins|user_sessions|user_devices|passkeys|passkey_challenges|throttles|payment_accounts|shared_secrets|unassigned_deliveries|leases|jobs|kysely_.*)$'
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
