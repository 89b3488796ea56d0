import { type RawBuilder, sql } from 'kysely';
import type { BodyWeek } from './body-weeks.ts';

/**
 * A condition over the columns of `body`: one of its entries is pending or held, and cannot be delivered without it.
 */
export const isNeeded: RawBuilder<unknown> = sql`exists (
  select from deliveries entry
  where entry.org_id = body.org_id and entry.body_id = body.id and entry.status in ('pending', 'held')
)`;

/**
 * The keys of bodies that must be kept after their week is over, up to a limit: those that are needed, and those that
 * arrived since, from a process whose clock is behind. One index lookup per organisation.
 */
export function bodiesNeeded(
  { table, firstId, endId }: BodyWeek,
  before: Date,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select org_id, id from (
      select needed.org_id, needed.id from organisations organisation
      cross join lateral (
        select distinct org_id, body_id as id from deliveries
        where org_id = organisation.id and status in ('pending', 'held')
          and body_id >= ${firstId ?? FIRST_ID} and body_id < ${endId}
        limit ${limit}
      ) needed
      union
      select org_id, id from ${sql.table(table)} where received_at >= ${before}
    ) kept
    limit ${limit}
  `;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
