import type { Maintenance } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { type Nodes, readNodes } from './body-nodes.ts';
import { DEFAULT_WEEK, isCrowded, isOver, listBodyWeeks, rotateWeeks } from './body-weeks.ts';
import { prune } from './prune.ts';

export function createPostgresMaintenance(db: Db): Maintenance {
  return {
    rotateBodies: (now, before) => rotateWeeks(db, now, before),
    removeBodies: async (before, limit) => {
      const nodes = await readNodes(db);
      let removed = 0;
      for (const table of await listThinned(db, before, nodes)) {
        removed += await removeFrom(db, { table, before, limit: limit - removed }, nodes);
        if (removed >= limit) break;
      }
      return removed;
    },
    prune: (what, before, limit) => prune(db, what, before, limit),
  };
}

/**
 * Partitions whose bodies are deleted one by one: those without a date range, and old ones of which too much must be
 * kept to drop them.
 */
async function listThinned(db: Db, before: Date, nodes: Nodes): Promise<readonly string[]> {
  const thinned = [DEFAULT_WEEK];
  for (const week of await listBodyWeeks(db)) {
    const isEndless = week.firstId === null;
    if (isEndless || (isOver(week, before) && (await isCrowded(db, week, before, nodes))))
      thinned.push(week.table);
  }
  return thinned;
}

interface Removal {
  readonly table: string;
  readonly before: Date;
  readonly limit: number;
}

async function removeFrom(
  db: Db,
  { table, before, limit }: Removal,
  { isNeeded, skipLocked }: Nodes,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as (
      select org_id, id from ${sql.table(table)} body
      where received_at < ${before} and not ${isNeeded}
      order by received_at
      limit ${limit}
      ${skipLocked}
    )
    delete from ${sql.table(table)} body using old where body.org_id = old.org_id and body.id = old.id
  `.execute(db);
  return Number(numAffectedRows ?? 0);
}
