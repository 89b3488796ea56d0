import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Migration } from '../../packages/adapters-postgres/src/migrations/migration-kinds.ts';
import { runMigration } from '../../packages/adapters-postgres/src/migrations/run-migration.ts';

const compatibleWith = '0001-initial';
const change = (statement: string): Migration => ({
  kind: 'tables',
  compatibleWith,
  up: (db) => sql.raw(statement).execute(db),
});

/** What a release may bring, of each kind, on the largest table: a column that ends up filled, indexed and not null. */
const SAMPLES: Readonly<Record<string, Migration>> = {
  'a column': change('alter table purchases add column upgrade_check text'),
  'a backfill of every row': {
    kind: 'backfill',
    compatibleWith,
    table: 'purchases',
    key: ['org_id', 'id'],
    set: 'upgrade_check = filled.source',
    where: 'filled.upgrade_check is null',
  },
  'an index': {
    kind: 'indexes',
    compatibleWith,
    create: [{ name: 'purchases_upgrade_check', on: 'purchases (org_id, upgrade_check, id)' }],
  },
  'a constraint': change(
    'alter table purchases add constraint upgrade_check_known check (amount is not null) not valid',
  ),
  'its validation': {
    kind: 'validation',
    compatibleWith,
    constraints: [{ table: 'purchases', name: 'upgrade_check_known' }],
  },
};

/** Runs them one after another, and says how long each took. */
export async function migrateSamples(url: string, say: (text: string) => void): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'handover migration' });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (const [name, migration] of Object.entries(SAMPLES)) {
      const began = performance.now();
      const context = { db, name, record: async () => undefined, onProgress: () => undefined };
      const rows = await runMigration(migration, context);
      say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s${rows > 0 ? `, ${rows} rows` : ''}`);
    }
  } finally {
    await db.destroy();
  }
}
