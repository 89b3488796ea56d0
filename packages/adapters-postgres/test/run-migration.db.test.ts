import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import type { Migration } from '../src/migrations/migration-kinds.ts';
import { type MigrationProgress, runMigration } from '../src/migrations/run-migration.ts';
import { createEmptyDatabase, type TestDatabase } from '../src/testing/index.ts';

const compatibleWith = '0002-fewer-indexes';
let database: TestDatabase;
let pool: pg.Pool;
let db: Kysely<unknown>;

beforeAll(async () => {
  database = await createEmptyDatabase(inject('postgres').url);
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
  db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  await pool.query(`create table shelves (org_id uuid, id integer, width integer, depth integer, primary key (org_id, id));
    insert into shelves select gen_random_uuid(), number % 7, number from generate_series(1, 2500) number`);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const run = (migration: Migration, onProgress: (progress: MigrationProgress) => void = () => undefined) =>
  runMigration(migration, { db, name: '0099-shelves', record: async () => undefined, onProgress });

const readOne = async (query: string) => (await pool.query(query)).rows[0];

it('gives up its wait for a lock, so that statements behind it pass, and tries again until it gets the lock', async () => {
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query('begin; select count(*) from shelves');
  let isDone = false;
  const migrating = run({
    kind: 'tables',
    compatibleWith,
    up: (trx) => sql`alter table shelves add column label text`.execute(trx),
  }).then(() => {
    isDone = true;
  });
  await vi.waitFor(async () => {
    expect(
      await readOne(`select from pg_locks where not granted and relation = 'shelves'::regclass`),
    ).toBeDefined();
  }, WAIT_TIMEOUT_MS);
  // It queues behind the migration, which waits for the reader, which never ends by itself.
  await pool.query('select count(*) from shelves');
  expect(isDone).toBe(false);
  await reader.query('commit');
  await reader.end();
  await migrating;
  expect(await readOne('select count(label)::integer as labels from shelves')).toEqual({ labels: 0 });
});

it('builds an index beside open transactions of other tables, and anew after an interrupted try', async () => {
  await pool.query(
    'alter table shelves drop column if exists height; alter table shelves add column height integer default 1',
  );
  await expect(
    pool.query('create unique index concurrently shelves_by_height on shelves (height)'),
  ).rejects.toThrow();
  const isValid = `select indisvalid as valid from pg_index where indexrelid = 'shelves_by_height'::regclass`;
  expect(await readOne(isValid)).toEqual({ valid: false });
  const migration: Migration = {
    kind: 'indexes',
    compatibleWith,
    create: [{ name: 'shelves_by_height', on: 'shelves (height, id)' }],
  };
  await run(migration);
  await run(migration);
  expect(await readOne(isValid)).toEqual({ valid: true });
  await run({ kind: 'indexes', compatibleWith, drop: ['shelves_by_height'] });
  expect(await readOne(`select to_regclass('shelves_by_height') as name`)).toEqual({ name: null });
});

it('fills in rows in batches, tells how far it is, and goes on after an interruption', async () => {
  const migration: Migration = {
    kind: 'backfill',
    compatibleWith,
    table: 'shelves',
    key: ['org_id', 'id'],
    set: 'depth = filled.width * 2',
    where: 'filled.depth is null',
  };
  await pool.query('analyze shelves');
  const stop = new Error('killed');
  await expect(
    run(migration, () => {
      throw stop;
    }),
  ).rejects.toBe(stop);
  const left = 'select count(*)::integer as left from shelves where depth is distinct from width * 2';
  expect(await readOne(left)).toEqual({ left: 1500 });

  const progress: MigrationProgress[] = [];
  expect(await run(migration, (step) => progress.push(step))).toBe(1500);
  expect(progress.map(({ done, total }) => [done, total])).toEqual([
    [1000, 2500],
    [2000, 2500],
    [2500, 2500],
  ]);
  expect(await readOne(left)).toEqual({ left: 0 });
  expect(await run(migration)).toBe(0);
});

it('validates a constraint that was added without a look at the rows', async () => {
  await pool.query('alter table shelves add constraint wide check (width > 0) not valid');
  await run({ kind: 'validation', compatibleWith, constraints: [{ table: 'shelves', name: 'wide' }] });
  expect(await readOne(`select convalidated as valid from pg_constraint where conname = 'wide'`)).toEqual({
    valid: true,
  });
});
