import { type RawBuilder, sql } from 'kysely';
import type { BodyWeek } from './body-weeks.ts';

/** Over the columns of `body`: an entry of it is pending or held, and can't be delivered without. */
export const isNeeded: RawBuilder<unknown> = sql`exists (
  select from deliveries entry
  where entry.org_id = body.org_id and entry.body_id = body.id and entry.status in ('pending', 'held')
)`;

/**
 * The keys of bodies of a week that must be kept though the week is over, at most so many: those that are needed, and those
 * that came in since, from a process whose clock is behind. Organisation by organisation, so that it is a look at an index each.
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
