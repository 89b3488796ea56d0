import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createJobQueue } from '../src/index.ts';
import type { Query } from '../src/jobs/job-leases.ts';
import { LANE_SIZES } from '../src/jobs/job-outbox.ts';
import { createQuietLog } from '../src/jobs/quiet-log.ts';
import { startWorkers } from '../src/jobs/workers.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { countRows } from './count-rows.ts';
import { enqueue, errors, opened, openQueueAnew, receiptJob, startWorking } from './queue-of-the-test.ts';

openQueueAnew();

const log = { warn: () => undefined, error: ({ err }: { readonly err: unknown }) => errors.push(err) };

const countJobs = (condition: string) => countRows(opened, `jobs where ${condition}`);

it('ends jobs and runs the next ones while another job is locked', async () => {
  const done = new Set<string>();
  const blocked = Promise.withResolvers<void>();
  await startWorking({
    'send-email': async ({ emailId }) => {
      if (emailId === 'receipt 0') await blocked.promise;
      done.add(emailId);
      return 'done';
    },
  });
  await enqueue(receiptJob(0));
  await vi.waitFor(async () => expect(await countJobs('lease_id is not null')).toBe(1), WAIT_TIMEOUT_MS);
  const others = Array.from({ length: 2 * LANE_SIZES.receipts }, (_, at) => receiptJob(at + 1));
  await opened.database.db.transaction().execute(async (trx) => {
    // A transaction that queues thousands of jobs again holds all their locks until its commit.
    await sql`select from jobs for update`.execute(trx);
    blocked.resolve();
    await vi.waitFor(() => expect(done.size).toBe(1), WAIT_TIMEOUT_MS);
    await enqueue(...others);
    await vi.waitFor(async () => {
      // Each statement shows the server that this transaction is alive.
      await sql`select`.execute(trx);
      expect(done.size).toBe(others.length + 1);
      expect(await countJobs('true')).toBe(1);
    }, WAIT_TIMEOUT_MS);
  });
  await vi.waitFor(async () => expect(await countJobs('true')).toBe(0), WAIT_TIMEOUT_MS);
});

it('does not give back a job that has ended, although its end is not recorded yet', async () => {
  const held = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  let ends = 0;
  const query: Query = async (text, values) => {
    if (text.includes('asked_at')) {
      ends += 1;
      second.resolve();
      if (ends === 1) await held.promise;
    }
    return opened.database.pool.query(text, [...values]);
  };
  let isDone = false;
  await enqueue(receiptJob(1), receiptJob(2));
  const workers = startWorkers({
    query,
    log: createQuietLog(log),
    clock: { now: () => new Date() },
    isPressed: () => false,
    handlers: {
      'send-email': async ({ emailId }) => {
        if (emailId === 'receipt 2') {
          await second.promise;
          isDone = true;
        }
        return 'done';
      },
    },
  });
  await vi.waitFor(() => expect(isDone).toBe(true), WAIT_TIMEOUT_MS);
  await turn();
  const over = workers.giveBack();
  held.resolve();
  await over;
  expect(await opened.queuedJobs()).toEqual([]);
  await workers.drain();
});

it('begins no work when it is stopped while it starts', async () => {
  const queue = createJobQueue({ url: opened.url, log });
  await Promise.allSettled([queue.start(IDLE_HANDLERS), queue.stop()]);
  await turn();
  expect(errors).toEqual([]);
});
