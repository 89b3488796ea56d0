import type { Upkeep } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

export function createPostgresUpkeep(db: Kysely<Schema>): Upkeep {
  return {
    removeBodies: async (before, limit) => {
      const { rows } = await sql`
        with old as (
          select org_id, id from delivery_bodies body
          where bytes is not null and received_at < ${before}
            and not exists (
              select from deliveries entry
              where entry.org_id = body.org_id and entry.body_id = body.id and entry.status in ('pending', 'held')
            )
          order by received_at
          limit ${limit}
          for update skip locked
        )
        update delivery_bodies body set bytes = null, headers = '{}'
        from old
        where body.org_id = old.org_id and body.id = old.id
        returning body.id
      `.execute(db);
      return rows.length;
    },
  };
}
