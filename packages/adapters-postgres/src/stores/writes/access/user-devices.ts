import type { UserDevices } from '@handover/domain';
import { MAX_DEVICES_PER_USER, NO_ORGANISATION } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { queueEmail } from '../email/queue-email.ts';
import { lockUser } from './session-bounds.ts';

export function createPostgresUserDevices(db: Db, jobs: JobOutbox): UserDevices {
  return {
    see: async (userId, { id, hash, client, at }) => {
      if (!areIds(userId)) return 'unknown-user';
      return commitAndWake(db, jobs, async (trx, queue) => {
        if (!(await lockUser(trx, userId))) return 'unknown-user';
        const { rows } = await sql<{ readonly isNew: boolean; readonly others: number }>`
          with seen as (
            insert into user_devices (id, user_id, hash, client, created_at, seen_at)
            values (${id}, ${userId}, ${hash}, ${client}, ${at}, ${at})
            on conflict (user_id, hash) do update set seen_at = excluded.seen_at
            returning id
          )
          select seen.id = ${id} as "isNew",
            (select count(*)::integer from user_devices where user_id = ${userId}) as others
          from seen
        `.execute(trx);
        const [row] = rows;
        if (!row?.isNew) return 'known';
        await sql`
          delete from user_devices where id in (
            select id from user_devices where user_id = ${userId}
            order by seen_at desc, id desc offset ${MAX_DEVICES_PER_USER}
          )
        `.execute(trx);
        if (row.others === 0) return 'first';
        await queueEmail(trx, queue, { kind: 'new-device', orgId: NO_ORGANISATION, id, at });
        return 'new';
      });
    },
  };
}
