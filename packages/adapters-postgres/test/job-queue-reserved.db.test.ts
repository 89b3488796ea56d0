import type { Job } from '@handover/domain';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createJobQueue, type JobQueue } from '../src/index.ts';
import { LANE_SIZES, type Reservation } from '../src/jobs/job-outbox.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import {
  deliveryJob,
  enqueue,
  errors,
  opened,
  openQueueAnew,
  receiptJob,
  startWorking,
} from './queue-of-the-test.ts';

openQueueAnew();

function receiptJobs(count: number, from = 0): readonly Job[] {
  return Array.from({ length: count }, (_, at) => receiptJob(from + at));
}

/** As a transaction of the stores does it. */
async function commit(queue: JobQueue, jobs: readonly Job[]): Promise<Reservation> {
  const reservation = queue.reserve(jobs);
  await opened.database.db.transaction().execute((trx) => queue.enqueue(trx, jobs, reservation));
  return reservation;
}

async function readJobs() {
  const { rows } = await opened.database.pool.query(
    `select subject, lease_id as "leaseId", lease_until > now() + interval '5 seconds' as "isLeased" from jobs order by 1`,
  );
  return rows;
}

/** A worker whose jobs end when the test says so. */
async function workOnReceipts(options: Parameters<typeof startWorking>[1] = {}) {
  const ends = new Map<string, () => void>();
  const runs: string[] = [];
  const queue = await startWorking(
    {
      'send-email': ({ emailId }) => {
        runs.push(emailId);
        return new Promise((resolve) => ends.set(emailId, () => resolve('done')));
      },
    },
    options,
  );
  const finish = (): void => {
    for (const [id, end] of ends) if (ends.delete(id)) end();
  };
  return { queue, runs, finish };
}

it('runs reserved jobs once they are committed, leased from the beginning and never looked for', async () => {
  const { queue, runs, finish } = await workOnReceipts();
  const jobs = receiptJobs(3);
  const reservation = await commit(queue, jobs);
  expect(reservation.jobs).toEqual(jobs);
  const { leaseId } = reservation;
  const leased = jobs.map((job) => ({ subject: 'emailId' in job && job.emailId, leaseId, isLeased: true }));
  expect(await readJobs()).toEqual(leased);
  expect(runs).toEqual([]);
  reservation.start(jobs);
  expect(runs).toHaveLength(3);
  // Two looks later they still run, and nobody took them.
  await enqueue(receiptJob(7));
  await vi.waitFor(() => expect(runs).toHaveLength(4), WAIT_TIMEOUT_MS);
  expect(runs.at(-1)).toBe('receipt 7');
  finish();
  await vi.waitFor(async () => expect(await readJobs()).toEqual([]), WAIT_TIMEOUT_MS);
  expect(errors).toEqual([]);
});

it('gives the jobs of a process that died to another one when their lease ends', async () => {
  const { queue } = await workOnReceipts();
  await commit(queue, [receiptJob(1)]);
  await queue.stop({ withinMs: 10 });
  const other = await workOnReceipts();
  await opened.database.pool.query('update jobs set lease_until = now()');
  await vi.waitFor(() => expect(other.runs).toEqual(['receipt 1']), WAIT_TIMEOUT_MS);
  other.finish();
});

it('reserves as many as there is room for, and frees the room of what was not committed', async () => {
  const { queue, finish } = await workOnReceipts();
  const size = LANE_SIZES.receipts;
  const most = queue.reserve(receiptJobs(size));
  expect(most.jobs).toHaveLength(size);
  most.start([]);
  const [first, ...others] = receiptJobs(size);
  const again = await commit(
    queue,
    [first, ...others].flatMap((job) => job ?? []),
  );
  again.start(first ? [first] : []);
  const rest = queue.reserve(receiptJobs(size, size));
  expect(rest.jobs).toHaveLength(size - 1);
  rest.start([]);
  finish();
});

it('looks for what it had no room for, and reserves few while that waits', async () => {
  const { queue, runs, finish } = await workOnReceipts();
  const size = LANE_SIZES.receipts;
  const jobs = receiptJobs(size + 5);
  const reservation = await commit(queue, jobs);
  expect(reservation.jobs).toHaveLength(size);
  reservation.start(reservation.jobs);
  expect(queue.reserve([receiptJob(2 * size)]).jobs).toEqual([]);
  finish();
  await vi.waitFor(() => expect(runs).toHaveLength(size + 5), WAIT_TIMEOUT_MS);
  finish();
  await vi.waitFor(async () => expect(await readJobs()).toEqual([]), WAIT_TIMEOUT_MS);
});

it('reserves nothing that is not due', async () => {
  const { queue } = await workOnReceipts();
  expect(queue.reserve([receiptJob(1, new Date('2100-01-01'))]).jobs).toEqual([]);
});

it('leaves to others what nobody here can run', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const idle = createJobQueue({ url: opened.url, log });
  expect(idle.reserve([receiptJob(1)]).jobs).toEqual([]);
  await idle.start({ 'release-entries': async () => 'done' });
  expect(idle.reserve([receiptJob(1), deliveryJob(1)]).jobs).toEqual([]);
  await idle.stop();
  expect(idle.reserve([receiptJob(1)]).jobs).toEqual([]);
});

it('reserves as much for mails under pressure as usual, and no order', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const queue = createJobQueue({ url: opened.url, log, isPressed: () => true });
  await queue.start(IDLE_HANDLERS);
  const reservation = queue.reserve(receiptJobs(LANE_SIZES.receipts));
  expect(reservation.jobs).toHaveLength(LANE_SIZES.receipts);
  reservation.start([]);
  expect(queue.reserve([deliveryJob(1)]).jobs).toEqual([]);
  await queue.stop();
});

it('looks for a quarter of the mails that wait under pressure, beside those that were reserved', async () => {
  const { queue, runs, finish } = await workOnReceipts({ isPressed: () => true });
  const quarter = LANE_SIZES.receipts / 4;
  const reservation = await commit(queue, receiptJobs(2 * quarter));
  reservation.start(reservation.jobs);
  expect(runs).toHaveLength(2 * quarter);
  await enqueue(...receiptJobs(2 * quarter, 1_000));
  await vi.waitFor(() => expect(runs).toHaveLength(3 * quarter), WAIT_TIMEOUT_MS);
  finish();
  await vi.waitFor(() => expect(runs).toHaveLength(4 * quarter), WAIT_TIMEOUT_MS);
  finish();
  await vi.waitFor(async () => expect(await readJobs()).toEqual([]), WAIT_TIMEOUT_MS);
});

it('runs what a job commits while the queue stops, before it has stopped', async () => {
  const mail = receiptJob(1);
  const mailed: string[] = [];
  let finish = (): void => undefined;
  const stopping = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const queue: JobQueue = await startWorking({
    'fulfil-delivery': async () => {
      const reservation = await commit(queue, [mail]);
      await stopping;
      reservation.start([mail]);
      return 'done';
    },
    'send-email': async ({ emailId }) => {
      mailed.push(emailId);
      return 'done';
    },
  });
  await enqueue(deliveryJob(1));
  await vi.waitFor(async () => expect(await readJobs()).toHaveLength(2), WAIT_TIMEOUT_MS);
  const stopped = queue.stop();
  finish();
  await stopped;
  expect(mailed).toEqual(['receipt 1']);
  expect(await readJobs()).toEqual([]);
});

it('waits when it stops for transactions whose jobs it has reserved', async () => {
  const { queue, runs, finish } = await workOnReceipts();
  const [job = receiptJob(0)] = receiptJobs(1);
  const reservation = queue.reserve([job]);
  const stopped = queue.stop();
  await vi.waitFor(() => expect(queue.pool().used).toBe(0), WAIT_TIMEOUT_MS);
  await opened.database.db.transaction().execute((trx) => queue.enqueue(trx, [job], reservation));
  reservation.start([job]);
  await vi.waitFor(() => expect(runs).toEqual(['receipt 0']), WAIT_TIMEOUT_MS);
  finish();
  await stopped;
  expect(await readJobs()).toEqual([]);
});

it('leaves to other processes what is committed after it has stopped', async () => {
  const { queue, runs } = await workOnReceipts();
  const [job = receiptJob(0)] = receiptJobs(1);
  const reservation = queue.reserve([job]);
  const { leaseId } = reservation;
  await queue.stop({ withinMs: 10 });
  await opened.database.db.transaction().execute((trx) => opened.queue.enqueue(trx, [job], reservation));
  reservation.start([job]);
  expect(runs).toEqual([]);
  expect(await readJobs()).toEqual([{ subject: 'receipt 0', leaseId, isLeased: true }]);
});

it('never runs more than a lane allows, when jobs are reserved during a look', async () => {
  const size = LANE_SIZES.receipts;
  const { queue, runs, finish } = await workOnReceipts();
  const waiting = receiptJobs(size);
  const reserved = receiptJobs(size, size);
  let reservation: Reservation | undefined;
  await opened.database.db.transaction().execute(async (trx) => {
    await opened.queue.enqueue(trx, waiting);
    // The next look waits for this lock, and then finds the jobs above.
    await sql`lock table jobs in exclusive mode`.execute(trx);
    await vi.waitFor(async () => expect(await countWaitingLooks()).toBe(1), WAIT_TIMEOUT_MS);
    reservation = queue.reserve(reserved);
  });
  expect(reservation?.jobs).toHaveLength(size);
  await opened.database.db.transaction().execute((trx) => queue.enqueue(trx, reserved, reservation));
  reservation?.start(reserved);
  await vi.waitFor(async () => expect(await countLeases()).toEqual([size, 0]), WAIT_TIMEOUT_MS);
  expect(runs).toHaveLength(size);
  await vi.waitFor(async () => {
    finish();
    expect(await readJobs()).toEqual([]);
  }, WAIT_TIMEOUT_MS);
  expect(runs).toHaveLength(2 * size);
  expect(new Set(runs).size).toBe(2 * size);
});

it('keeps the place and the failures of a job that is put back', async () => {
  await enqueue(receiptJob(1));
  const { pool } = opened.database;
  await pool.query(`update jobs set failures = 7, due_at = '2026-01-01'`);
  const { queue, runs } = await workOnReceipts();
  await vi.waitFor(() => expect(runs).toEqual(['receipt 1']), WAIT_TIMEOUT_MS);
  await queue.stop({ withinMs: 10 });
  const { rows } = await pool.query(
    `select failures, due_at = '2026-01-01' as "hasItsPlace", lease_id as "leaseId" from jobs`,
  );
  expect(rows).toEqual([{ failures: 7, hasItsPlace: true, leaseId: null }]);
});

async function countWaitingLooks(): Promise<number> {
  const { rows } = await opened.database.pool.query(
    `select count(*)::integer as count from pg_stat_activity
     where wait_event_type = 'Lock' and query like '%walk as (%' and datname = current_database()`,
  );
  return rows[0].count;
}

/** Of the reserved jobs, and of those that waited. */
async function countLeases(): Promise<readonly number[]> {
  const { rows } = await opened.database.pool.query(
    `select count(*) filter (where number >= $1)::integer as reserved, count(*) filter (where number < $1)::integer as waiting
     from (select substring(subject from '[0-9]+')::integer as number from jobs where lease_id is not null) leased`,
    [LANE_SIZES.receipts],
  );
  return [rows[0].reserved, rows[0].waiting];
}
