import { type EmailKind, type Job, parseRelease } from '@handover/domain';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { JobOutbox } from '../jobs/job-outbox.ts';
import { isDistributed } from './is-distributed.ts';

/** A transaction over several nodes is complete on all of them long before, even after a fail-over. */
const ORPHANED_AFTER_MS = 10 * 60_000;
/** Of each kind in a turn. */
const MAX_REQUEUED = 500;

/**
 * Queues what has been due for ten minutes, so that nothing waits for a job that is lost: on a database that is distributed, the
 * queue is on another node than the rows, and a coordinator that fails can commit one of them without the other. Returns how
 * many jobs were missing. On one node none can be, and it does not look.
 */
export async function requeueOrphans(
  db: Kysely<Schema>,
  jobs: Pick<JobOutbox, 'enqueue'>,
  now: Date,
): Promise<number> {
  return (await isDistributed(db)) ? requeueMissing(db, jobs, now) : 0;
}

export async function requeueMissing(
  db: Kysely<Schema>,
  jobs: Pick<JobOutbox, 'enqueue'>,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - ORPHANED_AFTER_MS);
  const found = [
    ...(await listDeliveries(db, before, now)),
    ...(await listEmails(db, before, now)),
    ...(await listReleases(db, now)),
    ...(await listBulkActions(db, now)),
  ];
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
  db: Kysely<Schema>,
  before: Date,
  startAfter: Date,
): Promise<readonly Orphan[]> {
  const { rows } = await sql<Row>`
    select org_id as "orgId", id from deliveries
    where status = 'pending' and decided_at is null and received_at < ${before}
    limit ${MAX_REQUEUED}
  `.execute(db);
  return rows.map(({ orgId, id }) => ({
    subject: id,
    job: { kind: 'fulfil-delivery', orgId, deliveryId: id, attempts: 0, startAfter },
  }));
}

/** By the conditions of small indexes. Mails with sign-in links are over by then. */
async function listEmails(db: Kysely<Schema>, before: Date, startAfter: Date): Promise<readonly Orphan[]> {
  const { rows } = await sql<Row & { readonly kind: EmailKind }>`
    select org_id as "orgId", id, kind from outgoing_emails
    where status <> 'sent' and kind = 'receipt' and status = 'pending' and next_try_at < ${before}
    union all
    select org_id, id, kind from outgoing_emails
    where subject is not null and status = 'pending' and next_try_at < ${before}
    union all
    select org_id, id, kind from outgoing_emails
    where kind = 'alert' and subject is null and status = 'pending' and next_try_at < ${before}
    union all
    select org_id, id, kind from outgoing_emails
    where invitation_id is not null and status = 'pending' and next_try_at < ${before}
    limit ${MAX_REQUEUED}
  `.execute(db);
  return rows.map(({ orgId, id, kind }) => ({
    subject: id,
    job: { kind: 'send-email', orgId, emailId: id, emailKind: kind, startAfter },
  }));
}

/** A release has its row until it is over. */
async function listReleases(db: Kysely<Schema>, startAfter: Date): Promise<readonly Orphan[]> {
  const { rows } = await sql<{ readonly orgId: string; readonly release: string }>`
    select org_id as "orgId", release from releases limit ${MAX_REQUEUED}
  `.execute(db);
  return rows.map(({ orgId, release }) => ({
    subject: release,
    job: { kind: 'release-entries', orgId, release: parseRelease(release), startAfter },
  }));
}

/** A bulk action has its job until it ends. */
async function listBulkActions(db: Kysely<Schema>, startAfter: Date): Promise<readonly Orphan[]> {
  const { rows } = await sql<Row>`
    select org_id as "orgId", id from bulk_actions where ended_at is null limit ${MAX_REQUEUED}
  `.execute(db);
  return rows.map(({ orgId, id }) => ({
    subject: id,
    job: { kind: 'run-bulk-action', orgId, bulkId: id, startAfter },
  }));
}
