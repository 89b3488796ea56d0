import { beforeEach, expect, it } from 'vitest';
import { opened, openShopAnew, sellOnce } from './shop-of-the-test.ts';

openShopAnew(beforeEach);

/** Columns that an order changes often. An update of a column without an index writes no index entry. */
const CHANGING = {
  deliveries: ['attempts', 'decided_at', 'note', 'reason'],
  download_links: ['expires_at', 'last_opened_at', 'opened_count'],
  jobs: ['again_at', 'failures', 'lease_id', 'lease_until'],
  outgoing_emails: ['attempts', 'claim_id', 'claimed_until', 'last_answer', 'last_answer_at'],
};

it.each(Object.entries(CHANGING))('keeps what changes in %s out of its indexes', async (table, columns) => {
  const { rows } = await opened.database.pool.query<{ definition: string }>(
    'select indexdef as definition from pg_indexes where tablename = $1',
    [table],
  );
  expect(rows.length).toBeGreaterThan(0);
  const named = rows.flatMap(({ definition }) => definition.match(/\b[a-z_]+\b/g) ?? []);
  expect(columns.filter((column) => named.includes(column))).toEqual([]);
});

it('decides an order without writing an index of its entry', async () => {
  const before = await countUpdates();
  await sellOnce();
  const { updated, hot } = await countUpdates();
  expect({ updated: updated - before.updated, hot: hot - before.hot }).toEqual({ updated: 1, hot: 1 });
});

async function countUpdates(): Promise<{ readonly updated: number; readonly hot: number }> {
  const { pool } = opened.database;
  // A connection reports its statistics at the end of its next transaction.
  const flush = () => pool.query('select pg_stat_force_next_flush(), pg_sleep(0.01)');
  await Promise.all(Array.from({ length: pool.options.max }, flush));
  const { rows } = await pool.query<{ updated: number; hot: number }>(
    `select n_tup_upd::integer as updated, n_tup_hot_upd::integer as hot
     from pg_stat_user_tables where relname = 'deliveries'`,
  );
  return rows[0] ?? { updated: 0, hot: 0 };
}
