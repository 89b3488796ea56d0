import type { Job } from '@handover/domain';
import { expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createJobQueue, type JobQueue } from '../src/index.ts';
import type { Reservation } from '../src/jobs/job-outbox.ts';
import { LANE_SIZES } from '../src/jobs/job-rows.ts';
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
async function workOnReceipts() {
  const ends = new Map<string, () => void>();
  const runs: string[] = [];
  const queue = await startWorking({
    'send-email': ({ emailId }) => {
      runs.push(emailId);
      return new Promise((resolve) => ends.set(emailId, () => resolve('done')));
    },
  });
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
  await queue.stop();
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
  expect(queue.reserve(receiptJobs(size, size)).jobs).toHaveLength(size - 1);
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

it('takes a quarter of the mails while its process is under pressure, and no order', async () => {
  const log = { warn: () => undefined, error: () => undefined };
  const queue = createJobQueue({ url: opened.url, log, isPressed: () => true });
  await queue.start(IDLE_HANDLERS);
  expect(queue.reserve(receiptJobs(LANE_SIZES.receipts)).jobs).toHaveLength(LANE_SIZES.receipts / 4);
  expect(queue.reserve([deliveryJob(1)]).jobs).toEqual([]);
  await queue.stop();
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
