import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { isDistributed } from '../../../distribution/citus.ts';
import { FIRST_ID } from '../../../statements/ids.ts';
import type { BodyWeek } from './body-weeks.ts';

/** The parts of statements that differ when the bodies are on several nodes. */
export interface Nodes {
  /**
   * A condition over the columns of `body`: one of its entries is pending or held, and cannot be delivered without it.
   */
  readonly isNeeded: RawBuilder<unknown>;
  /** The end of a subquery that finds bodies to delete. */
  readonly skipLocked: RawBuilder<unknown>;
  /**
   * The keys of bodies that must be kept after their week is over, up to a limit: those that are needed, and those that
   * arrived since, from a process whose clock is behind.
   */
  bodiesNeeded(week: BodyWeek, before: Date, limit: number): RawBuilder<unknown>;
  /** To be called before partitions are changed. */
  prepareChange(trx: Trx): Promise<unknown>;
}

export async function readNodes(db: Db): Promise<Nodes> {
  return (await isDistributed(db)) ? SEVERAL : ONE;
}

const ONE: Nodes = {
  // With `offset 0` it is one index lookup for each body: a join would compare each body with all held entries.
  isNeeded: sql`exists (${selectEntries()} offset 0)`,
  skipLocked: sql`for update skip locked`,
  // One index lookup per organisation.
  bodiesNeeded: (week, before, limit) =>
    selectKept(week, before, {
      limit,
      needed: sql`
        select needed.org_id, needed.id from organisations organisation
        cross join lateral (
          select distinct org_id, body_id as id from deliveries
          where org_id = organisation.id and status in ('pending', 'held')
            and body_id >= ${week.firstId ?? FIRST_ID} and body_id < ${week.endId}
          limit ${limit}
        ) needed
      `,
    }),
  prepareChange: async () => undefined,
};

/** Each node searches its own bodies, without limits and `skip locked`, which Citus refuses there. It waits for locked rows. */
const SEVERAL: Nodes = {
  isNeeded: sql`exists (${selectEntries()})`,
  skipLocked: sql``,
  bodiesNeeded: (week, before, limit) =>
    selectKept(week, before, {
      limit,
      needed: sql`
        select org_id, body_id as id from deliveries
        where status in ('pending', 'held') and body_id >= ${week.firstId ?? FIRST_ID} and body_id < ${week.endId}
      `,
    }),
  // Rows and partitions change in one transaction, over one connection to each node.
  prepareChange: (trx) => sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(trx),
};

function selectEntries(): RawBuilder<unknown> {
  return sql`
    select from deliveries entry
    where entry.org_id = body.org_id and entry.body_id = body.id and entry.status in ('pending', 'held')
  `;
}

function selectKept(
  { table }: BodyWeek,
  before: Date,
  { needed, limit }: { readonly needed: RawBuilder<unknown>; readonly limit: number },
): RawBuilder<unknown> {
  return sql`
    select org_id, id from (
      ${needed}
      union
      select org_id, id from ${sql.table(table)} where received_at >= ${before}
    ) kept
    limit ${limit}
  `;
}
