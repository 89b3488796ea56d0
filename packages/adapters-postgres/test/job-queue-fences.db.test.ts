import type { Job } from '@handover/domain';
import {
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import { describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createPostgresStores } from '../src/index.ts';
import { enqueue, opened, openQueueAnew, receiptJob, startWorking } from './queue-of-the-test.ts';

openQueueAnew();

describe('a worker that lost its job', () => {
  it('does not postpone it for its new worker', async () => {
    await enqueue(receiptJob(1));
    const query = (text: string) => opened.database.pool.query(text);
    let taken: unknown;
    const queue = await startWorking({
      'send-email': async () => {
        // Another process claims it after the lease of this one expired.
        await query(
          `update jobs set lease_id = gen_random_uuid(), lease_until = now() + interval '1 minute'`,
        );
        taken = (await query('select * from jobs')).rows;
        return { again: new Date('2100-01-01') };
      },
    });
    await vi.waitFor(() => expect(taken).toBeDefined(), WAIT_TIMEOUT_MS);
    // It waits for the next line of the worker.
    await queue.stop();
    const { rows } = await query('select * from jobs');
    expect(rows).toEqual(taken);
    expect(rows).toMatchObject([{ subject: 'receipt 1', lease_id: expect.any(String) }]);
  });
});

describe('workers of this process', () => {
  it('are woken once a transaction of several changes is committed, not before', async () => {
    const { stores, ids, clock, woken } = openWokenStores();
    const mailId = ids.next();
    await stores.inTransaction(async (within) => {
      await within.downloadLinkEmails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
      expect(woken).toEqual([]);
      expect(await opened.queuedJobs()).toEqual([]);
    });
    expect(woken).toMatchObject([{ kind: 'send-email', emailKind: 'links', emailId: mailId }]);
    expect(await opened.queuedJobs()).toEqual(woken);
  });

  it('are woken for an order that was recorded', async () => {
    const ports = openWokenStores();
    const { id: deliveryId } = await recordOrder(ports, makeOrder(await openShop(ports)));
    expect(ports.woken).toMatchObject([{ kind: 'fulfil-delivery', deliveryId }]);
  });
});

/** Stores that record the jobs for which workers were woken. */
function openWokenStores() {
  const woken: Job[] = [];
  const jobs = { ...opened.queue, wake: (due: readonly Job[]) => void woken.push(...due) };
  const secretBox = {
    seal: (plain: string) => plain,
    unseal: (sealed: string) => sealed,
    holds: () => false,
  };
  return {
    woken,
    stores: createPostgresStores({ database: opened.database, jobs, secretBox }),
    ids: createCountingIds(),
    clock: createManualClock(),
    apiKeys: createFakeApiKeys(),
  };
}
