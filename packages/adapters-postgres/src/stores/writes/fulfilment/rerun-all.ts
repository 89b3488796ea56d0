import type { ActivityEntry, Job, SeenEntry } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertActivity } from './insert-bought.ts';

/**
 * The unique key of the queue decides between two calls at once, and not the lock of the entries: on a distributed database the
 * lock is released by another node, before the other call sees the jobs. It keeps an entry from being decided meanwhile.
 */
export async function rerunAll(
  db: Db,
  jobs: JobOutbox,
  orgId: string,
  seen: readonly SeenEntry[],
  entries: readonly ActivityEntry[],
): Promise<readonly string[]> {
  const known = areIds(orgId) ? seen.filter(({ deliveryId }) => areIds(deliveryId)) : [];
  if (known.length === 0) return [];
  const queued: Job[] = [];
  const done = await runTransaction(db, async (trx) => {
    const { rows } = await sql<EntryRow>`
      select id, attempts from deliveries entry
      where org_id = ${orgId} and id = any(${known.map(({ deliveryId }) => deliveryId)}::uuid[])
        and order_id is not null and status in ('error', 'held')
        and exists (
          select from delivery_bodies body
          where body.org_id = ${orgId} and body.id = entry.body_id and body.bytes is not null
          offset 0
        )
      order by id for update
    `.execute(trx);
    const asSeen = new Map(known.map(({ deliveryId, attempts }) => [deliveryId.toLowerCase(), attempts]));
    const unchanged = rows.filter((entry) => entry.attempts === asSeen.get(entry.id));
    const attempts = new Map(unchanged.map((entry) => [entry.id, entry.attempts]));
    const jobOf = ({ subjectId, at }: ActivityEntry): Job[] => {
      const deliveryId = subjectId.toLowerCase();
      const tried = attempts.get(deliveryId);
      if (tried === undefined) return [];
      return [{ kind: 'fulfil-delivery', orgId, deliveryId, attempts: tried, startAfter: at }];
    };
    const queuedNow = await jobs.enqueueNew(trx, entries.flatMap(jobOf));
    const activity = entries.filter(({ subjectId }) => queuedNow.has(subjectId.toLowerCase()));
    await insertActivity(trx, orgId, activity);
    queued.push(...activity.flatMap(jobOf));
    return activity.map(({ subjectId }) => subjectId);
  });
  jobs.wake(queued.slice(0, 1));
  return done;
}

interface EntryRow {
  readonly id: string;
  readonly attempts: number;
}
