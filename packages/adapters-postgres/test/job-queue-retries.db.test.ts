import { once } from 'node:events';
import { DomainError } from '@handover/domain';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.ts';
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
  it('since its process was killed is done as soon, however many died of it before', async () => {
    await enqueue(receiptJob(1));
    const child = spawnWorker();
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await opened.database.pool.query(
      `update pgboss.job set retry_count = 9, heartbeat_on = now() - interval '1 hour'`,
    );
    await runUntil(1, () => 'done');
  });

  it('since the database was away is done soon, however often that happened, and counts as no failure', async () => {
    await enqueue(receiptJob(1));
    await opened.database.pool.query(
      `update pgboss.job set retry_count = 9, started_on = now(), output = '{"failures": 9}'`,
    );
    await runUntil(2, (run) => {
      if (run === 1) throw new DomainError('store-unavailable', 'The database cannot be reached.');
      return 'done';
    });
  });

  it('by a process that cannot do it waits as after a failure, so that nobody spins on it', async () => {
    await enqueue(receiptJob(1));
    await startWorking({ 'send-receipt': async () => 'later' });
    await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select output->'failures' as failures, start_after > now() as waits
         from pgboss.job where name = 'send-receipt' and state = 'retry'`,
      );
      expect(rows).toEqual([{ failures: 1, waits: true }]);
    }, PATIENCE_MS);
  });

  it.each([
    { failures: 0, atLeast: 1, atMost: 2 },
    { failures: 5, atLeast: 32, atMost: 64 },
    { failures: 1_000, atLeast: 300, atMost: 300 },
  ])('for $failures failures in a row, and one more, waits for $atLeast to $atMost s', async (example) => {
    const { failures, atLeast, atMost } = example;
    await enqueue(receiptJob(1));
    // Whatever number of claims is behind it.
    await opened.database.pool.query(
      `update pgboss.job set retry_count = 9, started_on = now(), output = jsonb_build_object('failures', $1::integer)`,
      [failures],
    );
    await startWorking({
      'send-receipt': async () => {
        // The pause is measured from here: the time of the transaction that ends it is not kept.
        await opened.database.pool.query('update pgboss.job set created_on = clock_timestamp()');
        throw new Error('The handler is broken.');
      },
    });
    const { pause } = await vi.waitFor(async () => {
      const { rows } = await opened.database.pool.query(
        `select extract(epoch from start_after - created_on)::float as pause from pgboss.job
         where state = 'retry' and output->>'failures' = $1`,
        [String(failures + 1)],
      );
      expect(rows).toHaveLength(1);
      return rows[0] as { readonly pause: number };
    }, PATIENCE_MS);
    expect(pause).toBeGreaterThanOrEqual(atLeast);
    // With what it took to write it down.
    expect(pause).toBeLessThan(atMost + 5);
  });
});

/** Works on the queue until the job ran so often, which takes no longer than a sign of life takes to be missed. */
async function runUntil(wanted: number, run: (number: number) => 'done'): Promise<void> {
  let runs = 0;
  await startWorking({
    'send-receipt': async () => {
      runs += 1;
      return run(runs);
    },
  });
  await vi.waitFor(() => expect(runs).toBe(wanted), 2 * PATIENCE_MS);
}
