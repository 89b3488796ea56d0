import { NO_ORGANISATION } from '@handover/domain';
import { describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import {
  deliveryJob,
  enqueue,
  errors,
  ORG,
  opened,
  openQueueAnew,
  receiptJob,
  startWorking,
} from './queue-of-the-test.ts';

openQueueAnew();

describe('the job queue', () => {
  it('runs jobs of a process without workers', async () => {
    const done: object[] = [];
    await enqueue(receiptJob(1), deliveryJob(2));
    await startWorking({
      'send-email': async (job) => {
        done.push(job);
        return 'done';
      },
      'fulfil-delivery': async (job) => {
        done.push(job);
        return 'done';
      },
    });
    await vi.waitFor(() => expect(done).toHaveLength(2), WAIT_TIMEOUT_MS);
    expect(done).toContainEqual({ orgId: ORG, emailId: 'receipt 1' });
    expect(done).toContainEqual({
      orgId: ORG,
      deliveryId: '00000000-0000-7000-8000-000000000002',
      attempts: 0,
    });
  });

  it('queues nothing with a transaction that is rolled back', async () => {
    const failing = opened.database.db.transaction().execute(async (trx) => {
      await opened.queue.enqueue(trx, [receiptJob(1)]);
      throw new Error('never mind');
    });
    await expect(failing).rejects.toThrow('never mind');
    expect(await opened.queuedJobs()).toEqual([]);
  });

  it('lets a first burst of transactions queue jobs at once, though they hold every connection', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, number) => enqueue(deliveryJob(number))));
    expect(await opened.queuedJobs()).toHaveLength(40);
  });

  it('forgets the job of a delivery, and none of another organisation', async () => {
    await enqueue(deliveryJob(1), deliveryJob(2));
    const [, kept] = await opened.queuedJobs();
    const remove = (orgId: string) =>
      opened.database.db
        .transaction()
        .execute((trx) => opened.queue.removeDecided(trx, orgId, ['00000000-0000-7000-8000-000000000001']));
    await remove(NO_ORGANISATION);
    expect(await opened.queuedJobs()).toHaveLength(2);
    await remove(ORG);
    expect(await opened.queuedJobs()).toEqual([kept]);
  });

  it('keeps the job of a delivery when the transaction that forgot it is rolled back', async () => {
    await enqueue(deliveryJob(1));
    const kept = await opened.queuedJobs();
    const failing = opened.database.db.transaction().execute(async (trx) => {
      await opened.queue.removeDecided(trx, ORG, ['00000000-0000-7000-8000-000000000001']);
      throw new Error('never mind');
    });
    await expect(failing).rejects.toThrow('never mind');
    expect(await opened.queuedJobs()).toEqual(kept);
  });

  it('queues a job for a delivery whose former job is running still', async () => {
    const runs: Array<() => void> = [];
    await startWorking({ 'fulfil-delivery': () => new Promise((done) => runs.push(() => done('done'))) });
    await enqueue(deliveryJob(1));
    await vi.waitFor(() => expect(runs).toHaveLength(1), WAIT_TIMEOUT_MS);
    await enqueue(deliveryJob(1));
    runs[0]?.();
    await vi.waitFor(() => expect(runs).toHaveLength(2), WAIT_TIMEOUT_MS);
    runs[1]?.();
  });

  it('waits with a job until its time', async () => {
    const startAfter = new Date(Date.now() + 1500);
    let startedAt = 0;
    await enqueue(receiptJob(1, startAfter));
    await startWorking({
      'send-email': async () => {
        startedAt = Date.now();
        return 'done';
      },
    });
    await vi.waitFor(() => expect(startedAt).toBeGreaterThan(0), WAIT_TIMEOUT_MS);
    expect(startedAt).toBeGreaterThanOrEqual(startAfter.getTime() - 50);
    expect(startedAt).toBeLessThan(startAfter.getTime() + WAIT_TIMEOUT_MS);
  });

  it('starts at once when woken', async () => {
    let started = 0;
    // This queue does not poll.
    const regularly = vi.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => undefined));
    const queue = await startWorking({
      'send-email': async () => {
        started += 1;
        return 'done';
      },
    });
    regularly.mockRestore();
    for (let number = 0; number < 5; number += 1) {
      const job = receiptJob(number);
      await enqueue(job);
      queue.wake([job]);
      await vi.waitFor(() => expect(started).toBe(number + 1), { timeout: WAIT_TIMEOUT_MS, interval: 5 });
    }
  });

  it('runs a job again when it says so, at that time', async () => {
    const runs: number[] = [];
    const again = new Date(Date.now() + 1000);
    await enqueue(deliveryJob(1));
    await startWorking({
      'fulfil-delivery': async () => {
        runs.push(Date.now());
        return runs.length === 1 ? { again } : 'done';
      },
    });
    await vi.waitFor(() => expect(runs).toHaveLength(2), WAIT_TIMEOUT_MS);
    expect(runs[1]).toBeGreaterThanOrEqual(again.getTime() - 50);
  });

  it('runs a job again after a pause when it throws', async () => {
    let runs = 0;
    await enqueue(receiptJob(1));
    await startWorking({
      'send-email': async () => {
        runs += 1;
        if (runs === 1) throw new Error('The handler is broken');
        return 'done';
      },
    });
    await vi.waitFor(() => expect(runs).toBe(2), WAIT_TIMEOUT_MS);
    expect(errors).toHaveLength(1);
  });

  it('never gives up a job, however often it failed and however old it is', async () => {
    await enqueue(receiptJob(1));
    await opened.database.pool.query(`update jobs set failures = 999999, due_at = now() - interval '1 year'`);
    let runs = 0;
    await startWorking({
      'send-email': async () => {
        runs += 1;
        throw new Error('The handler is broken');
      },
    });
    await vi.waitFor(() => expect(runs).toBe(1), WAIT_TIMEOUT_MS);
    await vi.waitFor(async () => expect(await opened.queuedJobs()).toHaveLength(1), WAIT_TIMEOUT_MS);
  });
});
