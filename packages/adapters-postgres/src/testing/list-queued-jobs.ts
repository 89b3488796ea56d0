import type { EmailKind, Job } from '@handover/domain';
import type pg from 'pg';
import { type JobKey, toJob, toJobRow } from '../jobs/job-outbox.ts';

type Row = JobKey & {
  readonly attempts: number;
  readonly emailKind: EmailKind;
  readonly startAfter: Date;
};

/** Waiting jobs, soonest first; of a running job the next run. An alert mail may be deleted by then. */
export async function listQueuedJobs(pool: pg.Pool): Promise<readonly Job[]> {
  const { rows } = await pool.query<Row>(
    `select job.kind, job.org_id as "orgId", job.subject, job.attempts, coalesce(email.kind, 'alert') as "emailKind",
       case when lease_id is null then due_at else again_at end as "startAfter"
     -- Its place in the table is not known to a database that is distributed.
     from (select *, ctid::text as place from jobs offset 0) job
     left join outgoing_emails email on email.org_id = job.org_id and email.id::text = job.subject
     where lease_id is null or again_at is not null
     order by "startAfter", job.place`,
  );
  return rows.map(toJob);
}

export async function dropQueuedJobs(pool: pg.Pool, jobs: readonly Job[]): Promise<void> {
  for (const { kind, orgId, subject, dueAt } of jobs.map(toJobRow)) {
    await pool.query('delete from jobs where kind = $1 and subject = $2 and due_at = $3 and org_id = $4', [
      kind,
      subject,
      dueAt,
      orgId,
    ]);
  }
}
