import { once } from 'node:events';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { countRows } from './count-rows.ts';
import {
  enqueue,
  opened,
  openQueueAnew,
  receiptJob,
  spawnWorker,
  startWorking,
} from './queue-of-the-test.ts';

openQueueAnew();

describe('the workers of the job queue', () => {
  it('runs several jobs concurrently, and many short ones without a pause between them', async () => {
    const jobs = Array.from({ length: 400 }, (_, number) => receiptJob(number));
    await enqueue(...jobs);
    let running = 0;
    let most = 0;
    let done = 0;
    await startWorking({
      'send-email': async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done += 1;
        return 'done';
      },
    });
    // With a half second's sleep between two jobs of a worker it would be 25 seconds.
    await vi.waitFor(() => expect(done).toBe(400), WAIT_TIMEOUT_MS);
    expect(most).toBeGreaterThan(1);
  });

  it('is not blocked by slow jobs', async () => {
    const finish: Array<() => void> = [];
    let quick = 0;
    const queue = await startWorking({
      'send-email': ({ emailId }) => {
        if (emailId === 'receipt 8') {
          quick += 1;
          return Promise.resolve('done');
        }
        return new Promise((done) => finish.push(() => done('done')));
      },
    });
    await enqueue(...Array.from({ length: 7 }, (_, number) => receiptJob(number + 1)));
    await vi.waitFor(() => expect(finish).toHaveLength(7), WAIT_TIMEOUT_MS);
    await enqueue(receiptJob(8));
    queue.wake([receiptJob(8)]);
    await vi.waitFor(() => expect(quick).toBe(1), WAIT_TIMEOUT_MS);
    for (const done of finish) done();
  });

  it('removes jobs that are done within seconds', async () => {
    await enqueue(...Array.from({ length: 20 }, (_, number) => receiptJob(number)));
    await startWorking({});
    await vi.waitFor(async () => expect(await countRows(opened, 'jobs')).toBe(0), {
      timeout: 2 * WAIT_TIMEOUT_MS,
      interval: 200,
    });
  });

  it('finishes running jobs when it stops, and takes no more', async () => {
    const events: string[] = [];
    let finish = (): void => undefined;
    const queue = await startWorking({
      'send-email': async () => {
        events.push('started');
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        events.push('finished');
        return 'done';
      },
    });
    await enqueue(receiptJob(1));
    await vi.waitFor(() => expect(events).toEqual(['started']), WAIT_TIMEOUT_MS);
    const stopped = queue.stop().then(() => events.push('stopped'));
    await enqueue(receiptJob(2));
    finish();
    await stopped;
    expect(events).toEqual(['started', 'finished', 'stopped']);
    expect(await opened.queuedJobs()).toMatchObject([{ emailId: 'receipt 2' }]);
  });

  it('does not spin on a job that says "again" of a time that has come', async () => {
    let asked = 0;
    await startWorking({
      'send-email': async () => {
        asked += 1;
        return { again: new Date(Date.now() - 60_000) };
      },
    });
    await enqueue(receiptJob(1));
    await vi.waitFor(() => expect(asked).toBeGreaterThan(1), WAIT_TIMEOUT_MS);
    const before = asked;
    await opened.database.pool.query('select pg_sleep(1)');
    expect(asked - before).toBeLessThan(20);
  });

  it('gives back a job that a query finds after the stop', async () => {
    const sent: string[] = [];
    const queue = await startWorking({
      'send-email': async ({ emailId }) => {
        sent.push(emailId);
        return 'done';
      },
    });
    let stopped = Promise.resolve();
    await opened.database.db.transaction().execute(async (trx) => {
      await sql`lock table jobs in access exclusive mode`.execute(trx);
      await opened.queue.enqueue(trx, [receiptJob(1)]);
      queue.wake([receiptJob(1)]);
      await vi.waitFor(async () => expect(await countWaitingLooks()).toBeGreaterThan(0), WAIT_TIMEOUT_MS);
      stopped = queue.stop();
    });
    await stopped;
    expect(sent).toEqual([]);
    expect(await opened.queuedJobs()).toMatchObject([{ emailId: 'receipt 1' }]);
  });

  it('gives a job back that does not end in time', async () => {
    let started = false;
    const queue = await startWorking({
      'send-email': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await enqueue(receiptJob(1));
    await vi.waitFor(() => expect(started).toBe(true), WAIT_TIMEOUT_MS);
    await queue.stop({ withinMs: 100 });
    expect(await opened.queuedJobs()).toMatchObject([{ emailId: 'receipt 1' }]);
  });

  it('does a job that one process gives back and another takes in the same moment, whatever becomes of it there', async () => {
    const runs = new Map<string, number>();
    const handlers = {
      'send-email': async ({ emailId }: { readonly emailId: string }) => {
        const run = (runs.get(emailId) ?? 0) + 1;
        runs.set(emailId, run);
        if (run === 1) return { again: new Date(0) };
        // Long enough for the next line of the first process.
        if (run === 2) await new Promise((resolve) => setTimeout(resolve, 50));
        if (run === 2) throw new Error('The mail server is away.');
        return 'done' as const;
      },
    };
    const jobs = Array.from({ length: 40 }, (_, number) => receiptJob(number));
    const processes = [await startWorking(handlers), await startWorking(handlers)];
    const busily = setInterval(() => {
      for (const process of processes) process.wake(jobs);
    }, 10);
    await enqueue(...jobs);
    await vi
      .waitFor(() => expect([...runs.values()]).toEqual(jobs.map(() => 3)), 4 * WAIT_TIMEOUT_MS)
      .finally(() => clearInterval(busily));
  });

  it('runs the job of a killed process', async () => {
    await enqueue(receiptJob(1));
    const child = spawnWorker();
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    const killedAt = Date.now();
    let doneAt = 0;
    await startWorking({
      'send-email': async () => {
        doneAt = Date.now();
        return 'done';
      },
    });
    await vi.waitFor(() => expect(doneAt).toBeGreaterThan(0), { timeout: 60_000, interval: 100 });
    console.log(`The job of the killed process ran again after ${doneAt - killedAt} ms`);
    expect(doneAt - killedAt).toBeLessThan(30_000);
  });
});

/** The number of queries for jobs that wait for a lock. */
async function countWaitingLooks(): Promise<number> {
  const { rows } = await sql<{ looks: number }>`
    select count(*)::int as looks from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%recursive lane%'`.execute(
    opened.database.db,
  );
  return rows[0]?.looks ?? 0;
}
