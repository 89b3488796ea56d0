import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { readSchemaTypes } from './read-schema-types.ts';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores(inject('postgres'));
});
afterAll(() => opened.close());

it('writes in schema.ts what the migrations lead to', async () => {
  expect(readSchemaTypes().size).toBeGreaterThan(200);
  expect(await findDrift()).toEqual([]);
});

it.each([
  ['a table', 'create table shelves (id uuid)', ['shelves.id is only in the database']],
  ['a column', 'alter table users drop column name', ['users.name is only in schema.ts']],
  ['what may be null', 'alter table users alter name set not null', ['users.name is null in schema.ts only']],
  [
    'what may not be null',
    'alter table users alter email drop not null',
    ['users.email is null in the database only'],
  ],
  [
    'a type',
    'alter table throttles alter tries type bigint',
    ['throttles.tries is bigint, in schema.ts integer'],
  ],
  [
    'a default',
    'alter table jobs alter failures drop default',
    ['jobs.failures has no default, but may be left out in schema.ts'],
  ],
  [
    'a computed column',
    'alter table download_sessions alter progress drop expression',
    ['download_sessions.progress is computed in schema.ts only'],
  ],
])('finds %s that differs', async (_, change, drift) => {
  const client = await opened.database.pool.connect();
  try {
    await client.query(`begin; ${change}`);
    expect(await findDrift(client)).toEqual(drift);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
}

async function findDrift(
  database: Pick<pg.Pool, 'query'> | pg.PoolClient = opened.database.pool,
): Promise<readonly string[]> {
  const { rows } = await database.query<Column>(`
    select table_name || '.' || column_name as name,
      case data_type when 'USER-DEFINED' then udt_name else data_type end as type,
      is_nullable = 'YES' as nullable,
      is_nullable = 'YES' or column_default is not null as optional,
      is_generated = 'ALWAYS' as computed
    from information_schema.columns
    join pg_class on oid = format('%I.%I', table_schema, table_name)::regclass
    where table_schema = current_schema() and table_name not like 'kysely%' and not relispartition`);
  const written = readSchemaTypes();
  const missing = [...written.keys()].filter((name) => rows.every((row) => row.name !== name));
  return [
    ...missing.map((name) => `${name} is only in schema.ts`),
    ...rows.flatMap((row) => compare(row, written)),
  ].sort();
}

function compare(column: Column, written: ReturnType<typeof readSchemaTypes>): readonly string[] {
  const { name, type, nullable, optional, computed } = column;
  const wanted = written.get(name);
  if (!wanted) return [`${name} is only in the database`];
  const only = (here: boolean) => (here ? 'the database only' : 'schema.ts only');
  return [
    ...(wanted.types.includes(type) ? [] : [`${name} is ${type}, in schema.ts ${wanted.types.join(' or ')}`]),
    ...(wanted.nullable === nullable ? [] : [`${name} is null in ${only(nullable)}`]),
    ...(wanted.computed === computed ? [] : [`${name} is computed in ${only(computed)}`]),
    ...(wanted.optional && !optional ? [`${name} has no default, but may be left out in schema.ts`] : []),
  ];
}
