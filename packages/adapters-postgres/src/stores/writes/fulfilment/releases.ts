import {
  type ActivityEntry,
  formatRelease,
  type Job,
  type OpenDeliveries,
  type Release,
  type SeenEntry,
} from '@handover/domain';
import { sql } from 'kysely';
import type { Db, Trx } from '../../../database/schema.ts';
import { runTransaction } from '../../../database/transact.ts';
import { commitAndWake, type JobOutbox } from '../../../jobs/job-outbox.ts';
import { areIds, LAST_ID } from '../../../statements/ids.ts';
import { readOpenDeliveries } from '../../reads/fulfilment/open-deliveries.ts';
import { areReleasable, canRun, selectReleased } from '../../reads/fulfilment/released-entries.ts';
import { insertActivity } from '../audit/insert-activity.ts';

export function createPostgresOpenDeliveries(db: Db, jobs: JobOutbox): OpenDeliveries {
  return {
    ...readOpenDeliveries(db),

    release: async (orgId, release, at) => {
      if (!areReleasable(orgId, release)) return false;
      return commitAndWake<boolean>(db, jobs, (trx, queue) => addRelease(trx, queue, orgId, release, at));
    },
    releaseNext: async (orgId, release, page) => {
      if (!areReleasable(orgId, release)) return 'over';
      return commitAndWake<'more' | 'over'>(db, jobs, async (trx, queue) => {
        const after = await holdRelease(trx, orgId, release);
        if (after === null) return 'over';
        if (after === LAST_ID) {
          await sql`delete from releases where org_id = ${orgId} and release = ${formatRelease(release)}`.execute(
            trx,
          );
          return 'over';
        }
        await queuePage(trx, queue, { orgId, release, after, ...page });
        return 'more';
      });
    },
    rerunAll: (orgId, seen, entries) => rerunAll(db, jobs, orgId, seen, entries),
  };
}

/**
 * Inserts a release in the transaction of its cause, with its job. A worker that processes the release at this
 * moment holds its row: the release starts again after that page. Returns whether the release is new.
 */
export async function addRelease(
  trx: Trx,
  queue: Pick<JobOutbox, 'enqueue'>,
  orgId: string,
  release: Release,
  startAfter: Date,
): Promise<boolean> {
  const key = formatRelease(release);
  // A release that a concurrent transaction stores or ends is waited for here.
  const { numAffectedRows } = await sql`
    insert into releases (org_id, release) values (${orgId}, ${key}) on conflict (org_id, release) do nothing
  `.execute(trx);
  const isNew = numAffectedRows === 1n;
  if (!isNew) {
    await sql`
      insert into releases (org_id, release) values (${orgId}, ${key})
      on conflict (org_id, release) do update set after_entry = default
    `.execute(trx);
  }
  await queue.enqueue(trx, [{ kind: 'release-entries', orgId, release, startAfter }]);
  return isNew;
}

/** The position of the release; a concurrent reader waits for the end of this transaction. */
async function holdRelease(trx: Trx, orgId: string, release: Release): Promise<string | null> {
  const { rows } = await sql<{ readonly after: string }>`
    select after_entry as after from releases
    where org_id = ${orgId} and release = ${formatRelease(release)}
    for update
  `.execute(trx);
  return rows[0]?.after ?? null;
}

interface Page {
  readonly orgId: string;
  readonly release: Release;
  readonly after: string;
  readonly at: Date;
  readonly limit: number;
}

/**
 * Queues a page of entries, read from one index in the order of their ids. A page that is not full is the last one. The release
 * ends at a later call, after workers have taken what it queued.
 */
async function queuePage(
  trx: Trx,
  queue: Pick<JobOutbox, 'enqueue'>,
  { orgId, release, after, at, limit }: Page,
): Promise<void> {
  const { rows } = await sql<{ readonly id: string; readonly attempts: number; readonly canRun: boolean }>`
    with page as materialized (
      ${selectReleased(orgId, release, after)} order by id limit ${limit}
    )
    select entry.id, entry.attempts, ${canRun(orgId, release)} as "canRun"
    from page cross join lateral (
      select id, attempts, body_id from deliveries where org_id = ${orgId} and id = page.id offset 0
    ) entry
    order by entry.id
  `.execute(trx);
  const due = rows
    .filter((row) => row.canRun)
    .map(({ id, attempts }) => ({
      kind: 'fulfil-delivery' as const,
      orgId,
      deliveryId: id,
      attempts,
      startAfter: at,
    }));
  await queue.enqueue(trx, due);
  const reached = rows.length === limit ? rows.at(-1)?.id : LAST_ID;
  await sql`
    update releases set after_entry = ${reached}
    where org_id = ${orgId} and release = ${formatRelease(release)}
  `.execute(trx);
}

/**
 * The unique key of the queue decides between two concurrent calls, not the lock on the entries: on a distributed database
 * another node may release that lock before the second call sees the jobs. The lock keeps an entry from being decided
 * meanwhile.
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
