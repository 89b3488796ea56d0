import { createPool } from '../src/database/create-pool.ts';
import { LIMITS } from '../src/database/purposes.ts';
import { opened } from './shop-of-the-test.ts';

/** The rows that the leaves of the plan read, filtered ones included. */
export function countRead(text: string, values: readonly unknown[]): Promise<number> {
  return countLeaves(text, values, () => true);
}

/** The rows of tables that the plan reads from their beginning, without an index. */
export function countScanned(text: string, values: readonly unknown[]): Promise<number> {
  return countLeaves(text, values, (node) => node['Node Type'] === 'Seq Scan');
}

async function countLeaves(
  text: string,
  values: readonly unknown[],
  counts: (leaf: PlanNode) => boolean,
): Promise<number> {
  // As over the connections of pages.
  const pool = createPool({ url: opened.url, limits: LIMITS.pages, log: console });
  const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
  await pool.end();
  const count = (node: PlanNode): number => {
    if (node.Plans) return node.Plans.reduce((sum, child) => sum + count(child), 0);
    return counts(node)
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  };
  return count(rows[0]['QUERY PLAN'][0].Plan);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
