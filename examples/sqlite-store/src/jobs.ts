import { randomUUID } from 'node:crypto';
import { type FulfilmentJob, formatRelease, type Job, type LeasedJob } from '@handover/domain';
import { type Database, toDate } from './database.ts';

/** There is one job per kind and subject. When it is queued again, its lease ends, and it is due at the earlier time. */
export function queueJob(database: Database, job: Job): void {
  database.run(
    `insert into jobs (org_id, kind, subject, job, is_ours, due_at)
     values (:orgId, :kind, :subject, :job, :isOurs, :dueAt)
     on conflict do update set job = excluded.job, lease_id = null, leased_until = null,
       due_at = min(coalesce(jobs.leased_until, jobs.due_at), excluded.due_at)`,
    {
      orgId: job.orgId,
      kind: job.kind,
      subject: subjectOf(job),
      job: JSON.stringify(job),
      isOurs: isOurs(job) ? 1 : 0,
      dueAt: job.startAfter.getTime(),
    },
  );
}

/** One statement, so that only one of two concurrent callers gets the job. */
export function takeJob(database: Database, now: Date, leasedUntil: Date): LeasedJob | null {
  const leaseId = randomUUID();
  const row = database.get<{ job: string; due_at: number }>(
    `update jobs set lease_id = :leaseId, leased_until = :leasedUntil
     where rowid = (
       select rowid from jobs
       where is_ours = 1 and due_at <= :now and (leased_until is null or leased_until <= :now)
       order by due_at limit 1)
     returning job, due_at`,
    { leaseId, leasedUntil: leasedUntil.getTime(), now: now.getTime() },
  );
  return row ? { job: { ...JSON.parse(row.job), startAfter: toDate(row.due_at) }, leaseId } : null;
}

export function endJob(database: Database, { job, leaseId }: LeasedJob, again: Date | null): void {
  const leased = { orgId: job.orgId, leaseId };
  if (again === null) database.run('delete from jobs where org_id = :orgId and lease_id = :leaseId', leased);
  else
    database.run(
      `update jobs set due_at = :again, lease_id = null, leased_until = null
       where org_id = :orgId and lease_id = :leaseId`,
      { ...leased, again: again.getTime() },
    );
}

/** Removes the jobs that decide an entry from the queue. */
export function removeDecisionJobs(database: Database, orgId: string, deliveryId: string): void {
  database.run(
    `delete from jobs where org_id = :orgId and subject = :deliveryId
       and kind in ('fulfil-delivery', 'resolve-delivery')`,
    { orgId, deliveryId },
  );
}

function subjectOf(job: Job): string {
  if (job.kind === 'send-email') return job.emailId;
  if (job.kind === 'run-bulk-action') return job.bulkId;
  return job.kind === 'release-entries' ? formatRelease(job.release) : job.deliveryId;
}

function isOurs(job: Job): job is FulfilmentJob {
  if (job.kind === 'send-email') return job.emailKind === 'receipt';
  return job.kind === 'fulfil-delivery' || job.kind === 'resolve-delivery';
}
