import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { executeEach } from '../src/migrations/execute-each.ts';
import { MIGRATIONS } from '../src/migrations/migrate.ts';
import type { Migration, MigrationOf } from '../src/migrations/migration-kinds.ts';
import { UNLIMITED } from '../src/migrations/run-migration.ts';
import { findDangerousSteps } from './find-dangerous-steps.ts';

const ALL = Object.entries(MIGRATIONS);

function changing(statement: string): Migration {
  return { kind: 'tables', compatibleWith: '0002-fewer-indexes', up: (db) => executeEach(db, statement) };
}

describe('a migration of a running installation', () => {
  it('numbers its migrations without gaps, in their order', () => {
    expect(ALL.map(([name]) => Number(name.slice(0, 4)))).toEqual(ALL.map((_, at) => at + 1));
  });

  it('takes no long lock, reads no whole table, and breaks no running program', async () => {
    expect(ALL.map(([name]) => name).slice(0, 2)).toEqual(UNLIMITED);
    for (const [at, [name, migration]] of ALL.entries()) {
      if (UNLIMITED.includes(name)) continue;
      const earlier = ALL.slice(0, at).map(([, one]) => one);
      expect(await findDangerousSteps(migration, earlier), name).toEqual([]);
    }
  });

  it('lets programs of a former migration go on', () => {
    for (const [at, [name, { compatibleWith }]] of ALL.entries()) {
      if (at === 0) continue;
      expect(
        ALL.slice(0, at).map(([former]) => former),
        name,
      ).toContain(compatibleWith);
    }
  });

  it.each([
    ['create index a on deliveries (org_id)', /a on deliveries is built under a lock/],
    ['alter table deliveries add column a uuid default gen_random_uuid()', /a has a volatile default/],
    ['alter table deliveries add column a timestamptz default clock_timestamp()', /volatile default/],
    ['alter table deliveries add column a text not null', /not null without a default/],
    ['alter table deliveries add column a uuid references organisations', /CONSTR_FOREIGN/],
    ['alter table deliveries add column a int check (a > 0)', /CONSTR_CHECK/],
    ['alter table deliveries add column a int unique', /CONSTR_UNIQUE/],
    ['alter table deliveries add column a int generated always as (1) stored', /CONSTR_GENERATED/],
    ['alter table deliveries add column a int generated always as identity', /CONSTR_IDENTITY/],
    ['alter table deliveries alter note set not null', /note is set not null without a validated check/],
    ['alter table deliveries alter attempts type bigint', /changes a type/],
    ['alter table deliveries add constraint a check (attempts >= 0)', /add it as not valid/],
    ['alter table deliveries add foreign key (org_id) references organisations', /add it as not valid/],
    ['alter table deliveries add unique (org_id, body_id)', /builds an index/],
    ['alter table deliveries validate constraint a', /use kind validation/],
    ['update deliveries set attempts = 0', /use a backfill/],
    ['delete from deliveries', /in batches/],
    ['insert into catalogues select id from organisations', /reads rows/],
    ['alter table deliveries rename note to remark', /renames/],
    ['alter table deliveries rename to entries', /renames/],
    ['lock table deliveries', /locks a table/],
    ['truncate deliveries', /empties/],
    ['reindex table deliveries', /rebuilds/],
  ])('rejects “%s”', async (statement, reason) => {
    expect(await findDangerousSteps(changing(statement))).toEqual([expect.stringMatching(reason)]);
  });

  it.each([
    'create table shelves (org_id uuid, id uuid primary key);\ncreate index a on shelves (org_id)',
    'alter table deliveries add column a uuid',
    "alter table deliveries add column a text not null default 'x'::text",
    'alter table deliveries add column a timestamptz not null default now()',
    'alter table deliveries add constraint a check (attempts >= 0) not valid',
    'alter table deliveries add constraint a unique using index b',
    'alter table deliveries set (fillfactor = 50)',
    'alter table deliveries alter a set default 1;\ndrop index b;\nalter table deliveries drop column c',
  ])('accepts “%s”', async (statement) => {
    expect(await findDangerousSteps(changing(statement))).toEqual([]);
  });

  it.each([
    [
      'alter table deliveries add column a uuid; alter table deliveries add column b uuid',
      /several statements/,
    ],
    [
      'alter table deliveries drop constraint b, add constraint b check (attempts >= 0) not valid',
      /a statement of its own/,
    ],
  ])('rejects “%s” at once, which Citus refuses', async (text, reason) => {
    const up: MigrationOf<'tables'>['up'] = (db) => sql.raw(text).execute(db);
    const migration: Migration = { kind: 'tables', compatibleWith: '0002-fewer-indexes', up };
    expect(await findDangerousSteps(migration)).toEqual([expect.stringMatching(reason)]);
  });

  it('accepts “set not null” after a check that was added and then validated', async () => {
    const notNull = changing('alter table deliveries alter note set not null');
    const added = changing('alter table deliveries add constraint noted check (note is not null) not valid');
    const validated: Migration = {
      kind: 'validation',
      compatibleWith: '0002-fewer-indexes',
      constraints: [{ table: 'deliveries', name: 'noted' }],
    };
    expect(await findDangerousSteps(notNull, [added])).toHaveLength(1);
    expect(await findDangerousSteps(notNull, [added, validated])).toEqual([]);
  });
});
