import type { TestStores } from '../src/testing/index.ts';

/** Counts the rows of a table; a condition may follow its name. */
export async function countRows({ database }: TestStores, table: string): Promise<number> {
  const { rows } = await database.pool.query(`select count(*)::integer as count from ${table}`);
  return rows[0].count;
}
