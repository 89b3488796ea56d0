import type { MailCounts } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** How long a count is kept: longer than any mail is under way. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export function createPostgresMailCounts(db: Kysely<Schema>): MailCounts {
  return {
    take: async (orgId, hour, max) => {
      // Of many at once, each waits for the row, and finds it as the one before has left it.
      const { rows } = await sql`
        with over as (
          delete from mail_counts where org_id = ${orgId} and hour < ${new Date(hour.getTime() - KEPT_MS)}
        )
        insert into mail_counts as counted (org_id, hour, sent) values (${orgId}, ${hour}, 1)
        on conflict (org_id, hour) do update set sent = counted.sent + 1
        where ${max}::integer is null or counted.sent < ${max}::integer
        returning sent
      `.execute(db);
      return rows.length > 0;
    },

    giveBack: async (orgId, hour) => {
      await db
        .updateTable('mail_counts')
        .set({ sent: sql<number>`sent - 1` })
        .where('org_id', '=', orgId)
        .where('hour', '=', hour)
        .where('sent', '>', 0)
        .execute();
    },
  };
}
