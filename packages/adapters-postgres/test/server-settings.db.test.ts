import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createPool } from '../src/database/create-pool.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { createEmptyDatabase } from '../src/testing/index.ts';

it('reads times, isolates transactions and executes plans in the same way, whatever the defaults of the database are', async () => {
  const { url, drop } = await createEmptyDatabase(inject('postgres').url);
  onTestFinished(drop);
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`alter database ${name} set datestyle = 'German'`);
  await client.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
  await client.query(`alter database ${name} set jit = on`);
  await client.end();
  const pool = createPool({ url, limits: LIMITS.pages, log: console });
  const { rows } = await pool
    .query(
      `select timestamptz '2026-05-01 12:00:00.25+00' as at, current_setting('transaction_isolation') as isolation, current_setting('jit') as jit`,
    )
    .finally(() => pool.end());
  expect(rows).toEqual([
    { at: new Date('2026-05-01T12:00:00.250Z'), isolation: 'read committed', jit: 'off' },
  ]);
});
