import type { Job } from '@handover/domain';
import type pg from 'pg';
import { JOB_SCHEMA } from '../queues.ts';

/** Jobs that wait, soonest first. */
export async function listQueuedJobs(pool: pg.Pool): Promise<readonly Job[]> {
  const { rows } = await pool.query<{ name: Job['kind']; data: object; start_after: Date }>(
    `select name, data, start_after from ${JOB_SCHEMA}.job
     where state in ('created', 'retry') order by start_after, created_on`,
  );
  return rows.map(({ name, data, start_after }) => ({ kind: name, ...data, startAfter: start_after }) as Job);
}

export async function dropQueuedJobs(pool: pg.Pool, jobs: readonly Job[]): Promise<void> {
  for (const { kind, startAfter, ...data } of jobs) {
    await pool.query(
      `delete from ${JOB_SCHEMA}.job
       where id = (select id from ${JOB_SCHEMA}.job where name = $1 and data = $2 and start_after = $3 limit 1)`,
      [kind, data, startAfter],
    );
  }
}
