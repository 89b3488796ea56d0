import type { MailCounts } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { doTogether } from '../../../statements/batches.ts';

/** How long a count is kept: longer than any mail takes to send. */
const KEPT_MS = 24 * 60 * 60 * 1000;

interface Count {
  readonly orgId: string;
  readonly hour: Date;
}

interface Taking extends Count {
  readonly max: number | null;
}

export function createPostgresMailCounts(db: Db): MailCounts {
  const nameHour = ({ orgId, hour }: Count) => `${orgId} ${hour.getTime()}`;
  const take = doTogether<Taking, boolean>(db, {
    keyOf: (taking) => `${nameHour(taking)} ${taking.max}`,
    // The first ones get what is left of the limit.
    run: async (takings) => {
      const taken = await takeMany(db, takings);
      return takings.map((_, at) => at < taken);
    },
  });
  const giveBack = doTogether<Count, void>(db, {
    keyOf: nameHour,
    run: async (counts) => {
      await giveManyBack(db, counts);
      return counts.map(() => undefined);
    },
  });
  return {
    take: (orgId, hour, max) => take({ orgId, hour, max }),
    giveBack: (orgId, hour) => giveBack({ orgId, hour }),
  };
}

/** All must be of the same hour, with the same limit. @returns how many of them are within it. */
async function takeMany(db: Db, takings: readonly Taking[]): Promise<number> {
  const [first] = takings;
  if (!first) return 0;
  const taken = await countUpTo(db, first, takings.length);
  if (taken !== null) return taken;
  await beginHour(db, first);
  return (await countUpTo(db, first, takings.length)) ?? 0;
}

/**
 * Of many concurrent processes, each waits for the row and reads the previous one's result. Null: there is no row
 * yet.
 */
async function countUpTo(db: Db, { orgId, hour, max }: Taking, wanted: number): Promise<number | null> {
  const { rows } = await sql<{ readonly taken: number }>`
    with counted as (
      -- Where there is no limit, the least of a number and null is the number.
      select greatest(least(${wanted}::integer, ${max}::integer - sent), 0) as taken
      from mail_counts
      where org_id = ${orgId} and hour = ${hour}
      for no key update
    ),
    added as (
      update mail_counts set sent = sent + counted.taken
      from counted
      where org_id = ${orgId} and hour = ${hour} and counted.taken > 0
    )
    select taken from counted
  `.execute(db);
  return rows[0]?.taken ?? null;
}

async function beginHour(db: Db, { orgId, hour }: Count): Promise<void> {
  await sql`
    with over as (
      delete from mail_counts where org_id = ${orgId} and hour < ${new Date(hour.getTime() - KEPT_MS)}
    )
    insert into mail_counts (org_id, hour, sent) values (${orgId}, ${hour}, 0)
    on conflict (org_id, hour) do nothing
  `.execute(db);
}

async function giveManyBack(db: Db, counts: readonly Count[]): Promise<void> {
  const [first] = counts;
  if (!first) return;
  await db
    .updateTable('mail_counts')
    .set({ sent: sql<number>`greatest(sent - ${counts.length}::integer, 0)` })
    .where('org_id', '=', first.orgId)
    .where('hour', '=', first.hour)
    .execute();
}
