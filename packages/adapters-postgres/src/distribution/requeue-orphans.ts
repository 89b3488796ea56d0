import { type EmailKind, NO_ORGANISATION } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/schema.ts';
import { type JobKey, type JobOutbox, toJob } from '../jobs/job-outbox.ts';
import { FIRST_ID } from '../statements/ids.ts';
import { isDistributed } from './citus.ts';

/** Long enough for a transaction over several nodes to complete on all of them, even after a fail-over. */
const ORPHANED_AFTER_MS = 10 * 60_000;
/** The maximum number of rows that a statement reads or queues jobs for. Between two pages nothing is locked. */
const MAX_IN_PAGE = 500;

/**
 * Queues the missing jobs of what has been due for ten minutes, and returns their number. On a distributed database, jobs and the
 * rows that they are about are on different nodes, and a coordinator that fails can commit one without the other. On one node no
 * job can be missing, so this does nothing.
 */
export async function requeueOrphans(db: Db, jobs: Pick<JobOutbox, 'enqueue'>, now: Date): Promise<number> {
  return (await isDistributed(db)) ? requeueMissing(db, jobs, now) : 0;
}

/** Pages through all that is due, in the order of the keys: most rows have their job, and rows without one can be on any page. */
export async function requeueMissing(
  db: Db,
  jobs: Pick<JobOutbox, 'enqueue'>,
  now: Date,
  limit = MAX_IN_PAGE,
): Promise<number> {
  const before = new Date(now.getTime() - ORPHANED_AFTER_MS);
  let missing = 0;
  for (const select of [selectDeliveries, selectEmails, selectReleases, selectBulkActions]) {
    // The subject of a release is a text, and all of them sort after this id as well.
    let last: Key | undefined = { orgId: FIRST_ID, subject: FIRST_ID };
    while (last) {
      const { rows } = await sql<Orphan>`${select(last, before)} order by 1, 2 limit ${limit}`.execute(db);
      missing += await requeuePage(db, jobs, rows, now);
      last = rows.length === limit ? rows.at(-1) : undefined;
    }
  }
  return missing;
}

async function requeuePage(
  db: Db,
  jobs: Pick<JobOutbox, 'enqueue'>,
  found: readonly Orphan[],
  startAfter: Date,
): Promise<number> {
  if (found.length === 0) return 0;
  const { rows } = await sql<{ readonly key: string }>`
    select kind || ' ' || org_id || ' ' || subject as key from jobs
    where subject = any(${found.map(({ subject }) => subject)}::text[])
  `.execute(db);
  const queued = new Set(rows.map(({ key }) => key));
  const missing = found.filter(({ kind, orgId, subject }) => !queued.has(`${kind} ${orgId} ${subject}`));
  const queue = missing.map((row) => toJob({ ...row, attempts: 0, startAfter }));
  if (missing.length > 0) await db.transaction().execute((trx) => jobs.enqueue(trx, queue));
  return missing.length;
}

type Key = Pick<JobKey, 'orgId' | 'subject'>;

/** The key of a job that must be in the queue. */
interface Orphan extends JobKey {
  readonly emailKind?: EmailKind;
}

function selectDeliveries({ orgId, subject }: Key, before: Date): RawBuilder<unknown> {
  return sql`
    select org_id as "orgId", id as subject, 'fulfil-delivery' as kind from deliveries
    where status = 'pending' and decided_at is null and received_at < ${before}
      and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)
  `;
}

/**
 * Each condition is that of a small index, or names the few mails without an organisation by the primary key. Mails with sign-in
 * links are left out: their links have expired by then.
 */
function selectEmails({ orgId, subject }: Key, before: Date): RawBuilder<unknown> {
  const selects = [
    sql`status <> 'sent' and kind = 'receipt'`,
    sql`subject is not null`,
    sql`kind = 'alert' and subject is null`,
    sql`invitation_id is not null`,
    sql`kind = 'new-device' and org_id = ${NO_ORGANISATION}`,
  ].map(
    (condition) => sql`
      select org_id as "orgId", id as subject, 'send-email' as kind, kind as "emailKind" from outgoing_emails
      where ${condition} and status = 'pending' and next_try_at < ${before}
        and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)
    `,
  );
  return sql.join(selects, sql` union all `);
}

/** A release has its row until it has ended. */
function selectReleases({ orgId, subject }: Key): RawBuilder<unknown> {
  return sql`
    select org_id as "orgId", release as subject, 'release-entries' as kind from releases
    where (org_id, release) > (${orgId}::uuid, ${subject}::text)
  `;
}

/** A bulk action has its job until it ends. */
function selectBulkActions({ orgId, subject }: Key): RawBuilder<unknown> {
  return sql`
    select org_id as "orgId", id as subject, 'run-bulk-action' as kind from bulk_actions
    where ended_at is null and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)
  `;
}
