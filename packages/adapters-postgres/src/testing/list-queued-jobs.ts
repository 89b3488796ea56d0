import type { Job } from '@handover/domain';
import type pg from 'pg';
import { type JobKey, readJob, toJobRow } from '../job-rows.ts';

type Row = JobKey & { readonly attempts: number; readonly startAfter: Date };

/** Jobs that wait, soonest first; of one that runs what it is to do once more. */
export async function listQueuedJobs(pool: pg.Pool): Promise<readonly Job[]> {
  const { rows } = await pool.query<Row>(
    `select kind, org_id as "orgId", subject, attempts,
       case when lease_id is null then due_at else again_at end as "startAfter"
     from jobs where lease_id is null or again_at is not null
     order by "startAfter", ctid`,
  );
  return rows.map((row) => ({ kind: row.kind, ...readJob(row), startAfter: row.startAfter }) as Job);
}

export async function dropQueuedJobs(pool: pg.Pool, jobs: readonly Job[]): Promise<void> {
  for (const { kind, subject, dueAt } of jobs.map(toJobRow)) {
    await pool.query('delete from jobs where kind = $1 and subject = $2 and due_at = $3', [
      kind,
      subject,
      dueAt,
    ]);
  }
}
