import { type EmailKind, type Job, parseRelease } from '@handover/domain';
import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';
import type { JobOutbox } from '../jobs/job-outbox.ts';
import { isDistributed } from './is-distributed.ts';

/** A transaction over several nodes is complete on all of them long before, even after a fail-over. */
const ORPHANED_AFTER_MS = 10 * 60_000;
/** How many rows a statement reads, or queues jobs for: between two pages, nothing is locked. */
const MAX_IN_PAGE = 500;

/**
 * Queues what has been due for ten minutes, so that nothing waits for a job that is lost: on a database that is distributed, the
 * queue is on another node than the rows, and a coordinator that fails can commit one of them without the other. Returns how
 * many jobs were missing. On one node none can be, and it does not look.
 */
export async function requeueOrphans(db: Db, jobs: Pick<JobOutbox, 'enqueue'>, now: Date): Promise<number> {
  return (await isDistributed(db)) ? requeueMissing(db, jobs, now) : 0;
}

/** Pages through all that is due, in the order of its key: most of it has its job, and must not hide what has none. */
export async function requeueMissing(
  db: Db,
  jobs: Pick<JobOutbox, 'enqueue'>,
  now: Date,
  limit = MAX_IN_PAGE,
): Promise<number> {
  const before = new Date(now.getTime() - ORPHANED_AFTER_MS);
  const lists = [
    (page: Page) => listDeliveries(db, before, now, page),
    (page: Page) => listEmails(db, before, now, page),
    (page: Page) => listReleases(db, now, page),
    (page: Page) => listBulkActions(db, now, page),
  ];
  let missing = 0;
  for (const list of lists) {
    let found = await list({ orgId: FIRST_ID, subject: FIRST_ID, limit });
    missing += await requeuePage(db, jobs, found);
    for (let last = found.at(-1); last && found.length === limit; last = found.at(-1)) {
      found = await list({ orgId: last.job.orgId, subject: last.subject, limit });
      missing += await requeuePage(db, jobs, found);
    }
  }
  return missing;
}

async function requeuePage(
  db: Db,
  jobs: Pick<JobOutbox, 'enqueue'>,
  found: readonly Orphan[],
): Promise<number> {
  if (found.length === 0) return 0;
  const { rows } = await sql<{ readonly key: string }>`
    select kind || ' ' || org_id || ' ' || subject as key from jobs
    where subject = any(${found.map(({ subject }) => subject)}::text[])
  `.execute(db);
  const queued = new Set(rows.map(({ key }) => key));
  const missing = found
    .filter(({ job, subject }) => !queued.has(`${job.kind} ${job.orgId} ${subject}`))
    .map(({ job }) => job);
  if (missing.length > 0) await db.transaction().execute((trx) => jobs.enqueue(trx, missing));
  return missing.length;
}

/** What follows the row of this key. */
interface Page {
  readonly orgId: string;
  readonly subject: string;
  readonly limit: number;
}

/** Before every id. As a text it is before every id, too, and before every name of a release. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Orphan {
  /** As the table of jobs has it. */
  readonly subject: string;
  readonly job: Job;
}

interface Row {
  readonly orgId: string;
  readonly id: string;
}

async function listDeliveries(
  db: Db,
  before: Date,
  startAfter: Date,
  { orgId, subject, limit }: Page,
): Promise<readonly Orphan[]> {
  const { rows } = await sql<Row>`
    select org_id as "orgId", id from deliveries
    where status = 'pending' and decided_at is null and received_at < ${before}
      and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)
    order by org_id, id
    limit ${limit}
  `.execute(db);
  return rows.map(({ orgId, id }) => ({
    subject: id,
    job: { kind: 'fulfil-delivery', orgId, deliveryId: id, attempts: 0, startAfter },
  }));
}

/** By the conditions of small indexes. Mails with sign-in links are over by then. */
async function listEmails(
  db: Db,
  before: Date,
  startAfter: Date,
  { orgId, subject, limit }: Page,
): Promise<readonly Orphan[]> {
  const isNext = sql`next_try_at < ${before} and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)`;
  const { rows } = await sql<Row & { readonly kind: EmailKind }>`
    select org_id as "orgId", id, kind from outgoing_emails
    where status <> 'sent' and kind = 'receipt' and status = 'pending' and ${isNext}
    union all
    select org_id, id, kind from outgoing_emails
    where subject is not null and status = 'pending' and ${isNext}
    union all
    select org_id, id, kind from outgoing_emails
    where kind = 'alert' and subject is null and status = 'pending' and ${isNext}
    union all
    select org_id, id, kind from outgoing_emails
    where invitation_id is not null and status = 'pending' and ${isNext}
    order by 1, 2
    limit ${limit}
  `.execute(db);
  return rows.map(({ orgId, id, kind }) => ({
    subject: id,
    job: { kind: 'send-email', orgId, emailId: id, emailKind: kind, startAfter },
  }));
}

/** A release has its row until it is over. */
async function listReleases(
  db: Db,
  startAfter: Date,
  { orgId, subject, limit }: Page,
): Promise<readonly Orphan[]> {
  const { rows } = await sql<{ readonly orgId: string; readonly release: string }>`
    select org_id as "orgId", release from releases
    where (org_id, release) > (${orgId}::uuid, ${subject}::text)
    order by org_id, release
    limit ${limit}
  `.execute(db);
  return rows.map(({ orgId, release }) => ({
    subject: release,
    job: { kind: 'release-entries', orgId, release: parseRelease(release), startAfter },
  }));
}

/** A bulk action has its job until it ends. */
async function listBulkActions(
  db: Db,
  startAfter: Date,
  { orgId, subject, limit }: Page,
): Promise<readonly Orphan[]> {
  const { rows } = await sql<Row>`
    select org_id as "orgId", id from bulk_actions
    where ended_at is null and (org_id, id) > (${orgId}::uuid, ${subject}::uuid)
    order by org_id, id
    limit ${limit}
  `.execute(db);
  return rows.map(({ orgId, id }) => ({
    subject: id,
    job: { kind: 'run-bulk-action', orgId, bulkId: id, startAfter },
  }));
}
