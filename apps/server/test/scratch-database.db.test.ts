import { expect, it } from 'vitest';
import { query } from '../../../test/query.ts';
import { withScratchDatabase } from '../src/transfer/scratch-database.ts';
import { makeEmptyDatabase } from './support/shop.ts';

const SCRATCH = `select datname from pg_database where datname ~ '^handover_scratch_'`;

it('a scratch database is dropped, and its work not lost, though the idle connection to its server is cut', async () => {
  const url = await makeEmptyDatabase();
  let name = '';
  const result = await withScratchDatabase(url, async (scratchUrl) => {
    name = new URL(scratchUrl).pathname.slice(1);
    await query(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return 'done';
  });
  expect(result).toBe('done');
  const left = await query(url, SCRATCH);
  expect(left).not.toContainEqual({ datname: name });
});
