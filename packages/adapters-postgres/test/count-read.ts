import { createPool } from '../src/database/create-pool.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { opened } from './shop-of-the-test.ts';

/** The rows that the leaves of the plan read, filtered ones included. */
export async function countRead(text: string, values: readonly unknown[]): Promise<number> {
  // As over the connections of pages.
  const pool = createPool({ url: opened.url, limits: LIMITS.pages, log: console });
  const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
  await pool.end();
  const count = (node: PlanNode): number =>
    node.Plans
      ? node.Plans.reduce((sum, child) => sum + count(child), 0)
      : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return count(rows[0]['QUERY PLAN'][0].Plan);
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
