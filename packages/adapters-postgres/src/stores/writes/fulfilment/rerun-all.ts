import type { ActivityEntry, Job, SeenEntry } from '@handover/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
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
    const { rows } = await sql<EntryRow>`
      select entry.id, entry.attempts
      from unnest(${column('deliveryId')}::uuid[], ${column('attempts')}::integer[]) as seen (id, attempts)
      join deliveries entry
        on entry.org_id = ${orgId} and entry.id = seen.id and entry.attempts = seen.attempts
      where entry.order_id is not null and entry.status in ('error', 'held')
        and exists (
          select from delivery_bodies body
          where body.org_id = ${orgId} and body.id = entry.body_id and body.bytes is not null
        )
      order by entry.id for update of entry
    `.execute(trx);
    const queuedBefore = await listQueued(trx, orgId, rows);
    const unqueued = rows.filter(({ id }) => !queuedBefore.has(id));
    const due = new Map(unqueued.map(({ id, attempts }) => [id, attempts]));
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

interface EntryRow {
  readonly id: string;
  readonly attempts: number;
}

/** Of entries that are locked. A statement of its own: a distributed database has the queue on another node. */
async function listQueued(
  trx: Transaction<Schema>,
  orgId: string,
  entries: readonly EntryRow[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly id: string }>`
    select subject as id from jobs
    where org_id = ${orgId} and kind = 'fulfil-delivery' and subject = any(${entries.map(({ id }) => id)}::text[])
  `.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
