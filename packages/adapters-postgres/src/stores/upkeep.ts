import type { Upkeep } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { JobOutbox } from '../job-outbox.ts';
import type { Schema } from '../schema.ts';
import { listOverdue } from './list-overdue.ts';
import { putBack, SWEEP_LIMITS } from './put-back.ts';

type Db = Kysely<Schema>;

export function createPostgresUpkeep(db: Db, jobs: JobOutbox, limits = SWEEP_LIMITS): Upkeep {
  return {
    putBackLostJobs: async (before, at) => {
      await forgetImpossible(db);
      const found = {
        deliveries: 0,
        receipts: 0,
        alertMails: 0,
        linkMails: 0,
        invitations: 0,
        signInLinks: 0,
        reruns: 0,
      };
      for (const { countsAs, ...overdue } of listOverdue(before, at)) {
        found[countsAs] += await putBack(db, jobs, overdue, limits);
      }
      return found;
    },

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

/** Their entry was decided by somebody who did not see them, or can't be run for want of its body. */
async function forgetImpossible(db: Db): Promise<void> {
  await sql`
    delete from reruns rerun where not exists (
      select from deliveries entry
      join delivery_bodies body on body.org_id = entry.org_id and body.id = entry.body_id
      where entry.org_id = rerun.org_id and entry.id = rerun.delivery_id
        and entry.attempts = rerun.attempts and body.bytes is not null
    )
  `.execute(db);
}
