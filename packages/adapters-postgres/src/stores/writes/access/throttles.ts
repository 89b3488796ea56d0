import { createHash } from 'node:crypto';
import type { CountedTries, Throttles } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { readRow } from '../../../statements/rows.ts';

/** The number of expired windows that each try deletes: more than it can add. */
const CLEARED_AT_ONCE = 4;

export function createPostgresThrottles(db: Db): Throttles {
  return {
    count: async (key, windowMs, at, tries = 1) => {
      const hash = hashOf(key);
      const windowEndsAt = new Date(at.getTime() + windowMs);
      return readRow(
        db,
        sql<CountedTries>`
        with over as (
          delete from throttles where key in (
            select key from throttles where window_ends_at <= ${at} and key <> ${hash}
            order by window_ends_at
            limit ${CLEARED_AT_ONCE}
            for update skip locked
          )
        )
        insert into throttles as open (key, tries, window_ends_at) values (${hash}, ${tries}, ${windowEndsAt})
        on conflict (key) do update set
          tries = case when open.window_ends_at > ${at} then least(open.tries, 1000000) + excluded.tries
            else excluded.tries end,
          window_ends_at =
            case when open.window_ends_at > ${at} then open.window_ends_at else excluded.window_ends_at end
        returning tries, window_ends_at as "windowEndsAt"
      `,
      );
    },

    find: async (key, at) => {
      const found = await db
        .selectFrom('throttles')
        .select(['tries', 'window_ends_at as windowEndsAt'])
        .where('key', '=', hashOf(key))
        .where('window_ends_at', '>', at)
        .executeTakeFirst();
      return found ?? null;
    },
  };
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
