import type { Job } from '@handover/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { columnsOf } from '../statements/columns-of.ts';
import { type JobRow, toJobRow } from './job-rows.ts';

type Trx = Transaction<Schema>;

export async function enqueueJobs(trx: Trx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length > 0) await insertJobs(jobs).execute(trx);
}

/**
 * The statement that queues jobs, also as a part of another statement. For a job that exists, the higher attempts
 * win: they only grow, and a transaction that read the entry earlier may write later. An expired lease changes
 * nothing here: the job is due, and its next claim sees this.
 */
export function insertJobs(jobs: readonly Job[]): RawBuilder<unknown> {
  const column = columnsOf(listRows(jobs));
  return sql`
    insert into jobs (kind, org_id, subject, lane, attempts, due_at)
    select * from unnest(
      ${column('kind')}::text[],
      ${column('orgId')}::uuid[],
      ${column('subject')}::text[],
      ${column('lane')}::text[],
      ${column('attempts')}::integer[],
      ${column('dueAt')}::timestamptz[]
    )
    on conflict (kind, subject, org_id) do update set
      attempts = greatest(jobs.attempts, excluded.attempts),
      lane = case when excluded.attempts > jobs.attempts then excluded.lane else jobs.lane end,
      due_at = case when jobs.lease_id is null then least(jobs.due_at, excluded.due_at) else jobs.due_at end,
      again_at = case when jobs.lease_id is not null then least(jobs.again_at, excluded.due_at) end
  `;
}

export async function forgetJobs(trx: Trx, orgId: string, deliveryIds: readonly string[]): Promise<void> {
  await sql`
    delete from jobs
    where org_id = ${orgId} and kind in ('fulfil-delivery', 'resolve-delivery') and subject = any(${deliveryIds})
  `.execute(trx);
}

/** Each job once, and in the order in which every transaction locks them, to avoid deadlocks. */
function listRows(jobs: readonly Job[]): readonly JobRow[] {
  const rows = new Map<string, JobRow>();
  for (const row of jobs.map(toJobRow)) {
    const key = `${row.kind} ${row.subject} ${row.orgId}`;
    const other = rows.get(key) ?? row;
    const newest = other.attempts > row.attempts ? other : row;
    rows.set(key, { ...newest, dueAt: new Date(Math.min(other.dueAt.getTime(), row.dueAt.getTime())) });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
