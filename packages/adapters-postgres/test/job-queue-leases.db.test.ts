import { expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { claimJobs, type Query, RENEW_EVERY_MS } from '../src/jobs/job-leases.ts';
import {
  deliveryJob,
  enqueue,
  opened,
  openQueueAnew,
  receiptJob,
  startWorking,
} from './queue-of-the-test.ts';

openQueueAnew();

const query: Query = (text, values) => opened.database.pool.query(text, [...values]);

it('renews the lease of a job that runs for longer, so that no other process takes it', async () => {
  let runs = 0;
  let finish = (): void => undefined;
  const run = () => {
    runs += 1;
    return new Promise<'done'>((resolve) => {
      finish = () => resolve('done');
    });
  };
  await enqueue(receiptJob(1));
  for (let count = 0; count < 2; count += 1) await startWorking({ 'send-email': run });
  const readLease = async () => (await query('select lease_until as until from jobs', [])).rows[0]?.until;
  await vi.waitFor(() => expect(runs).toBe(1), WAIT_TIMEOUT_MS);
  const first = (await readLease()) as Date;
  await vi.waitFor(async () => expect(await readLease()).not.toEqual(first), 2 * WAIT_TIMEOUT_MS);
  expect(((await readLease()) as Date).getTime() - first.getTime()).toBeGreaterThan(RENEW_EVERY_MS / 2);
  expect(runs).toBe(1);
  finish();
});

it('lets one process at a time have a job: nobody else can claim what is leased', async () => {
  await enqueue(deliveryJob(1));
  const turn = { lane: 'orders', room: 10, afterOrg: '00000000-0000-0000-0000-000000000000' } as const;
  const claim = () => claimJobs(query, ['fulfil-delivery'], [turn]);
  expect(await claim()).toHaveLength(1);
  expect(await claim()).toEqual([]);
  await query('update jobs set lease_until = now()', []);
  expect(await claim()).toHaveLength(1);
});

it('gives every job to one process at a time, however many run', async () => {
  const running = new Set<string>();
  const runs = new Map<string, number>();
  const run = async ({ deliveryId }: { readonly deliveryId: string }) => {
    expect(running.has(deliveryId)).toBe(false);
    running.add(deliveryId);
    const number = (runs.get(deliveryId) ?? 0) + 1;
    runs.set(deliveryId, number);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(deliveryId);
    return number < 3 ? { again: new Date(0) } : ('done' as const);
  };
  const jobs = Array.from({ length: 200 }, (_, number) => deliveryJob(number));
  await enqueue(...jobs);
  for (let count = 0; count < 3; count += 1) await startWorking({ 'fulfil-delivery': run });
  await vi.waitFor(() => expect([...runs.values()]).toEqual(jobs.map(() => 3)), 2 * WAIT_TIMEOUT_MS);
});

it('runs a job again after its lease expired, and ignores late reports of its former worker', async () => {
  const runs: Array<(answer: 'done' | { again: Date }) => void> = [];
  const run = () => new Promise<'done' | { again: Date }>((resolve) => runs.push(resolve));
  await enqueue(receiptJob(1));
  await startWorking({ 'send-email': run });
  await vi.waitFor(() => expect(runs).toHaveLength(1), WAIT_TIMEOUT_MS);
  await query(`update jobs set lease_until = now()`, []);
  await vi.waitFor(() => expect(runs).toHaveLength(2), WAIT_TIMEOUT_MS);
  const { rows: before } = await query('select lease_id, due_at, failures from jobs', []);
  runs[0]?.('done');
  // Recorded after the late response, in the same order.
  await enqueue(receiptJob(2));
  await vi.waitFor(() => expect(runs).toHaveLength(3), WAIT_TIMEOUT_MS);
  runs[2]?.('done');
  await vi.waitFor(async () => {
    const { rows } = await query(`select lease_id, due_at, failures from jobs`, []);
    expect(rows).toEqual(before);
  }, WAIT_TIMEOUT_MS);
  runs[1]?.('done');
  await vi.waitFor(
    async () => expect((await query('select from jobs', [])).rows).toEqual([]),
    WAIT_TIMEOUT_MS,
  );
});

it('runs a job again that was queued anew during its run, at that time and with what is known by then', async () => {
  const again = new Date(Date.now() + 60_000);
  const seen: object[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await enqueue(deliveryJob(1));
  const queue = await startWorking({
    'fulfil-delivery': async (job) => {
      seen.push(job);
      if (seen.length === 1) await finished;
      return 'done';
    },
  });
  await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT_TIMEOUT_MS);
  const job = deliveryJob(1, again, 1);
  // Uncommitted while the run ends: the worker retries the end until it sees this.
  await opened.database.db.transaction().execute(async (trx) => {
    await opened.queue.enqueue(trx, [job]);
    finish();
    await vi.waitFor(async () => {
      const { rows } = await query(
        'select from pg_stat_activity where datname = current_database() and query like $1',
        ['%ended%'],
      );
      expect(rows.length).toBeGreaterThan(0);
    }, WAIT_TIMEOUT_MS);
  });
  await vi.waitFor(async () => {
    expect((await query('select from jobs where lease_id is null', [])).rows).toHaveLength(1);
  }, WAIT_TIMEOUT_MS);
  expect(await opened.queuedJobs()).toEqual([job]);
  await enqueue(deliveryJob(1));
  queue.wake([deliveryJob(1, new Date(0))]);
  await vi.waitFor(() => expect(seen).toHaveLength(2), WAIT_TIMEOUT_MS);
  expect(seen[1]).toMatchObject({ attempts: 1 });
});

it('is due at the earlier of both times when it is queued twice', async () => {
  const [soon, later] = [new Date(Date.now() + 60_000), new Date(Date.now() + 120_000)];
  await enqueue(receiptJob(1, later), receiptJob(2, soon), receiptJob(2, later));
  await enqueue(receiptJob(1, soon));
  await enqueue(receiptJob(2, later));
  const times = (await opened.queuedJobs()).map(({ startAfter }) => startAfter);
  expect(times).toEqual([soon, soon]);
});
