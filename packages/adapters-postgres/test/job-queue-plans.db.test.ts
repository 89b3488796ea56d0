import { sql, type Transaction } from 'kysely';
import { expect, inject, it } from 'vitest';
import { createPool } from '../src/database/create-pool.ts';
import { QUEUE_LIMITS } from '../src/database/purposes.ts';
import type { Schema } from '../src/database/schema.ts';
import { endRuns, type LeasedJob, type Query, renewLeases } from '../src/jobs/job-leases.ts';
import { removeDecidedJobs, removeSentJobs } from '../src/jobs/remove-jobs.ts';
import { openTestStores, type TestStores } from '../src/testing/index.ts';
import { ORG } from './queue-of-the-test.ts';

const LEASE = '00000000-0000-4000-8000-000000000001';
const JOBS = 4_000;
const HELD = 20;

/** The statistics of a queue that is usually empty: a page or none, or many pages with nothing in them. */
const LEFT_BY_ANALYZE = {
  'was never used': 'analyze jobs',
  'was emptied': `select fill_queue('former', 1000); delete from jobs where subject <> 'former 1'; analyze jobs`,
  'was emptied and vacuumed': `select fill_queue('former', 1000); delete from jobs where subject <> 'former 1'`,
};

it.each(Object.entries(LEFT_BY_ANALYZE))(
  'reads only the jobs that it renews, ends or removes, when the queue %s as it was analysed',
  async (_name, empty) => {
    const opened = await openTestStores(inject('postgres'));
    const pool = createPool({ url: opened.url, limits: QUEUE_LIMITS, log: console });
    const client = await pool.connect();
    const query: Query = (text, values) => client.query(text, [...values]);
    try {
      await client.query(FILL_QUEUE);
      await client.query(empty);
      if (empty.endsWith("'former 1'")) await client.query('vacuum analyze jobs');
      await client.query(`select fill_queue('job', ${JOBS})`);

      expect(await countRead(query, () => renewLeases(query, held))).toBeLessThan(10 * HELD);
      const runs = held.map((job) => ({ job, outcome: { kind: 'done' } as const }));
      expect(await countRead(query, () => endRuns(query, runs))).toBeLessThan(10 * HELD);
      const ids = held.map(({ subject }) => subject);
      expect(await countReadWithin(opened, (trx) => removeDecidedJobs(trx, ORG, ids))).toBeLessThan(
        10 * HELD,
      );
      await client.query(`update jobs set kind = 'send-email' where subject like 'job %'`);
      expect(await countReadWithin(opened, (trx) => removeSentJobs(trx, ORG, ids))).toBeLessThan(10 * HELD);
      const left = `select count(*)::integer as count from jobs where subject like 'job %'`;
      expect((await query(left, [])).rows).toEqual([{ count: JOBS - HELD }]);
    } finally {
      client.release();
      await pool.end();
      await opened.close();
    }
  },
);

const held = Array.from(
  { length: HELD },
  (_, at): LeasedJob => ({
    kind: 'fulfil-delivery',
    subject: `job ${at + 1}`,
    orgId: ORG,
    lane: 'orders',
    attempts: 0,
    leaseId: LEASE,
  }),
);

const FILL_QUEUE = `
  create function fill_queue(name text, count integer) returns void language sql as $$
    insert into jobs (kind, org_id, subject, lane, attempts, due_at, lease_id)
    select 'fulfil-delivery', '${ORG}', name || ' ' || number, 'orders', 0, now(), '${LEASE}'
    from generate_series(1, count) number
  $$`;

const COUNT_READ = `
  select sum(pg_stat_get_xact_tuples_returned(indexrelid))::integer as count
  from pg_index where indrelid = 'jobs'::regclass`;

/** What a store asks is undone. */
async function countReadWithin(
  { database }: TestStores,
  work: (trx: Transaction<Schema>) => Promise<unknown>,
): Promise<number> {
  const trx = await database.db.startTransaction().execute();
  try {
    await work(trx);
    const { rows } = await sql<{ readonly count: number }>`${sql.raw(COUNT_READ)}`.execute(trx);
    return rows[0]?.count ?? 0;
  } finally {
    await trx.rollback().execute();
  }
}

/** The number of index entries of the queue that it read. A transaction knows its own count. */
async function countRead(query: Query, work: () => Promise<unknown>): Promise<number> {
  await query('begin', []);
  await work();
  const { rows } = await query(COUNT_READ, []);
  await query('commit', []);
  return rows[0].count;
}
