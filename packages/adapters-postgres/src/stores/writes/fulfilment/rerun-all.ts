import type { ActivityEntry, Job, SeenEntry } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import type { JobOutbox } from '../../../jobs/job-outbox.ts';
import { columnsOf } from '../../../statements/columns-of.ts';
import { areIds } from '../../../statements/ids.ts';
import { insertActivity } from './insert-bought.ts';

/** The entries are locked in the order of their ids, so that a concurrent call sees the jobs that this one queued. */
export async function rerunAll(
  db: Kysely<Schema>,
  jobs: JobOutbox,
  orgId: string,
  seen: readonly SeenEntry[],
  entries: readonly ActivityEntry[],
): Promise<readonly string[]> {
  const known = areIds(orgId) ? seen.filter(({ deliveryId }) => areIds(deliveryId)) : [];
  if (known.length === 0) return [];
  const column = columnsOf(known);
  const queued: Job[] = [];
  const done = await runTransaction(db, async (trx) => {
    await sql`
      select id from deliveries
      where org_id = ${orgId} and id = any(${column('deliveryId')}::uuid[]) order by id for update
    `.execute(trx);
    const { rows } = await sql<{ readonly id: string; readonly attempts: number }>`
      select entry.id, entry.attempts
      from unnest(${column('deliveryId')}::uuid[], ${column('attempts')}::integer[]) as seen (id, attempts)
      join deliveries entry
        on entry.org_id = ${orgId} and entry.id = seen.id and entry.attempts = seen.attempts
      where entry.order_id is not null and entry.status in ('error', 'held')
        and exists (
          select from delivery_bodies body
          where body.org_id = ${orgId} and body.id = entry.body_id and body.bytes is not null
        )
        and not exists (
          select from jobs
          where jobs.org_id = ${orgId} and kind = 'fulfil-delivery' and subject = entry.id::text
        )
    `.execute(trx);
    const due = new Map(rows.map(({ id, attempts }) => [id, attempts]));
    const activity = entries.filter(({ subjectId }) => due.has(subjectId.toLowerCase()));
    for (const { subjectId, at } of activity) {
      const attempts = due.get(subjectId.toLowerCase()) ?? 0;
      queued.push({ kind: 'fulfil-delivery', orgId, deliveryId: subjectId, attempts, startAfter: at });
    }
    await jobs.enqueue(trx, queued);
    await insertActivity(trx, { orgId, activity });
    return activity.map(({ subjectId }) => subjectId);
  });
  jobs.wake(queued.slice(0, 1));
  return done;
}
