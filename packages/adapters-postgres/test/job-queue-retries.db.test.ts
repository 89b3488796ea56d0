import { once } from 'node:events';
import { DomainError } from '@handover/domain';
import { describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { asStoreError } from '../src/database/store-errors.ts';
import {
  enqueue,
  opened,
  openQueueAnew,
  receiptJob,
  spawnWorker,
  startWorking,
} from './queue-of-the-test.ts';

openQueueAnew();

describe('a job that did not get done', () => {
  it('because its process was killed runs as soon, however many processes it killed before', async () => {
    await enqueue(receiptJob(1));
    const child = spawnWorker();
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { rows } = await opened.database.pool.query('select failures from jobs');
    expect(rows).toEqual([{ failures: 0 }]);
    await runUntil(1, () => 'done');
  });

  it('because the database was unavailable runs soon, however often, and this is not a failure', async () => {
    await enqueue(receiptJob(1));
    await opened.database.pool.query('update jobs set failures = 9');
    await runUntil(2, (run) => {
      if (run === 1) throw new DomainError('store-unavailable', 'The database cannot be reached.');
      return 'done';
    });
  });

  it('because a row was locked for too long waits as after a failure, so that it does not keep others waiting', async () => {
    await enqueue(receiptJob(1));
    await startWorking({
      'send-email': async () => {
        throw asStoreError(
          Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
        );
      },
    });
    await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select failures, due_at > now() as waits from jobs where lease_id is null`,
      );
      expect(rows).toEqual([{ failures: 1, waits: true }]);
    }, WAIT_TIMEOUT_MS);
  });

  it('in a process that cannot run it waits as after a failure, so that no process spins on it', async () => {
    await enqueue(receiptJob(1));
    await startWorking({ 'send-email': async () => 'later' });
    await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select failures, due_at > now() as waits from jobs where lease_id is null`,
      );
      expect(rows).toEqual([{ failures: 1, waits: true }]);
    }, WAIT_TIMEOUT_MS);
  });

  it.each([
    { failures: 0, atLeast: 1, atMost: 2 },
    { failures: 5, atLeast: 32, atMost: 64 },
    { failures: 1_000, atLeast: 300, atMost: 300 },
  ])('for $failures failures in a row, and one more, waits for $atLeast to $atMost s', async (example) => {
    const { failures, atLeast, atMost } = example;
    await enqueue(receiptJob(1));
    await opened.database.pool.query('update jobs set failures = $1', [failures]);
    let failedAt = 0;
    await startWorking({
      'send-email': async () => {
        // The pause is measured from here: the time of the transaction that ends it is not kept.
        const { rows } = await opened.database.pool.query(
          'select extract(epoch from clock_timestamp())::float as now',
        );
        failedAt = rows[0].now;
        throw new Error('The handler is broken.');
      },
    });
    const due = await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select extract(epoch from due_at)::float as due from jobs where lease_id is null and failures = $1`,
        [failures + 1],
      );
      expect(rows).toHaveLength(1);
      return (rows[0] as { readonly due: number }).due;
    }, WAIT_TIMEOUT_MS);
    const pause = due - failedAt;
    // The time when it is due is rounded to a millisecond.
    expect(pause).toBeGreaterThanOrEqual(atLeast - 0.001);
    // Including the time to record it.
    expect(pause).toBeLessThan(atMost + 5);
  });
});

/** Works on the queue until the job ran this often. That must be faster than a lease expires. */
async function runUntil(wanted: number, run: (number: number) => 'done'): Promise<void> {
  let runs = 0;
  await startWorking({
    'send-email': async () => {
      runs += 1;
      return run(runs);
    },
  });
  await vi.waitFor(() => expect(runs).toBe(wanted), 2 * WAIT_TIMEOUT_MS);
}
