import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Job } from '@handover/domain';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createJobQueue, type JobHandlers, type JobQueue } from '../src/index.ts';
import { IDLE_HANDLERS, openTestStores, type TestStores } from '../src/testing/index.ts';

let opened: TestStores;
const queues: JobQueue[] = [];
const children: ChildProcess[] = [];
const errors: unknown[] = [];
const log = { warn: () => undefined, error: ({ err }: { err: unknown }) => errors.push(err) };

beforeEach(async () => {
  errors.length = 0;
  opened = await openTestStores(inject('postgresUrl'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  await opened.close();
});

const ORG = '00000000-0000-7000-8000-000000000001';

function receiptJob(number: number, startAfter = new Date()): Job {
  return { kind: 'send-receipt', orgId: ORG, receiptId: `receipt ${number}`, startAfter };
}

function deliveryJob(number: number, startAfter = new Date()): Job {
  const deliveryId = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return { kind: 'fulfil-delivery', orgId: ORG, deliveryId, attempts: 0, startAfter };
}

function enqueue(...jobs: Job[]): Promise<void> {
  return opened.database.db.transaction().execute((trx) => opened.queue.enqueue(trx, jobs));
}

async function startWorking(handlers: Partial<JobHandlers>): Promise<JobQueue> {
  const queue = createJobQueue({ url: opened.url, log });
  queues.push(queue);
  await queue.start({ ...IDLE_HANDLERS, ...handlers });
  return queue;
}

/** Rows of the queue's table, whatever their state. */
async function countRows(): Promise<number> {
  const { rows } = await opened.database.pool.query<{ count: number }>(
    'select count(*)::integer as count from pgboss.job',
  );
  return rows[0]?.count ?? -1;
}

describe('the job queue', () => {
  it('does what was queued by a process that does not work on jobs', async () => {
    const done: object[] = [];
    await enqueue(receiptJob(1), deliveryJob(2));
    await startWorking({
      'send-receipt': async (job) => {
        done.push(job);
        return 'done';
      },
      'fulfil-delivery': async (job) => {
        done.push(job);
        return 'done';
      },
    });
    await vi.waitFor(() => expect(done).toHaveLength(2), 5000);
    expect(done).toContainEqual({ orgId: ORG, receiptId: 'receipt 1' });
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

  it('forgets the job of a delivery', async () => {
    await enqueue(deliveryJob(1), deliveryJob(2));
    const [, kept] = await opened.queuedJobs();
    await opened.database.db
      .transaction()
      .execute((trx) => opened.queue.forget(trx, '00000000-0000-7000-8000-000000000001'));
    expect(await opened.queuedJobs()).toEqual([kept]);
  });

  it('queues a job for a delivery whose former job is running still', async () => {
    const runs: Array<() => void> = [];
    await startWorking({ 'fulfil-delivery': () => new Promise((done) => runs.push(() => done('done'))) });
    await enqueue(deliveryJob(1));
    await vi.waitFor(() => expect(runs).toHaveLength(1), 5000);
    await enqueue(deliveryJob(1));
    await vi.waitFor(() => expect(runs).toHaveLength(2), 5000);
    for (const finish of runs) finish();
  });

  it('waits with a job until its time', async () => {
    const startAfter = new Date(Date.now() + 1500);
    let startedAt = 0;
    await enqueue(receiptJob(1, startAfter));
    await startWorking({
      'send-receipt': async () => {
        startedAt = Date.now();
        return 'done';
      },
    });
    await vi.waitFor(() => expect(startedAt).toBeGreaterThan(0), 5000);
    expect(startedAt).toBeGreaterThanOrEqual(startAfter.getTime() - 50);
    expect(startedAt).toBeLessThan(startAfter.getTime() + 1200);
  });

  it('starts at once when woken', async () => {
    const started: number[] = [];
    const queue = await startWorking({
      'send-receipt': async () => {
        started.push(Date.now());
        return 'done';
      },
    });
    const waits: number[] = [];
    for (let number = 0; number < 5; number += 1) {
      const job = receiptJob(number);
      await enqueue(job);
      const queuedAt = Date.now();
      queue.wake([job]);
      await vi.waitFor(() => expect(started).toHaveLength(number + 1), { timeout: 5000, interval: 5 });
      waits.push((started.at(-1) ?? 0) - queuedAt);
    }
    expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(150);
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
    await vi.waitFor(() => expect(runs).toHaveLength(2), 5000);
    expect(runs[1]).toBeGreaterThanOrEqual(again.getTime() - 50);
  });

  it('runs a job again after a pause when it throws', async () => {
    let runs = 0;
    await enqueue(receiptJob(1));
    await startWorking({
      'send-receipt': async () => {
        runs += 1;
        if (runs === 1) throw new Error('The handler is broken');
        return 'done';
      },
    });
    await vi.waitFor(() => expect(runs).toBe(2), 8000);
    expect(errors).toHaveLength(1);
  });

  it('never gives a job up, however often it failed and however old it is', async () => {
    await enqueue(receiptJob(1));
    await opened.database.pool.query(
      `update pgboss.job set retry_count = 999999, state = 'retry', created_on = now() - interval '1 year',
         start_after = now() - interval '1 year', keep_until = keep_until - interval '1 year'`,
    );
    let runs = 0;
    await startWorking({
      'send-receipt': async () => {
        runs += 1;
        throw new Error('The handler is broken');
      },
    });
    await vi.waitFor(() => expect(runs).toBe(1), 5000);
    await vi.waitFor(async () => expect(await opened.queuedJobs()).toHaveLength(1), 5000);
  });

  it('does several jobs at once, and a crowd of short ones without waiting between them', async () => {
    const jobs = Array.from({ length: 400 }, (_, number) => receiptJob(number));
    await enqueue(...jobs);
    let running = 0;
    let most = 0;
    let done = 0;
    const startedAt = Date.now();
    await startWorking({
      'send-receipt': async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done += 1;
        return 'done';
      },
    });
    await vi.waitFor(() => expect(done).toBe(400), 15_000);
    // With a half second's sleep between two jobs of a worker it would be 25 seconds.
    expect(Date.now() - startedAt).toBeLessThan(8000);
    expect(most).toBeGreaterThan(1);
  });

  it('is not kept from other jobs by slow ones', async () => {
    const finish: Array<() => void> = [];
    let quick = 0;
    const queue = await startWorking({
      'send-receipt': ({ receiptId }) => {
        if (receiptId === 'receipt 8') {
          quick += 1;
          return Promise.resolve('done');
        }
        return new Promise((done) => finish.push(() => done('done')));
      },
    });
    await enqueue(...Array.from({ length: 7 }, (_, number) => receiptJob(number + 1)));
    await vi.waitFor(() => expect(finish).toHaveLength(7), 5000);
    await enqueue(receiptJob(8));
    queue.wake([receiptJob(8)]);
    await vi.waitFor(() => expect(quick).toBe(1), 3000);
    for (const done of finish) done();
  });

  it('removes jobs that are done within seconds', async () => {
    await enqueue(...Array.from({ length: 20 }, (_, number) => receiptJob(number)));
    await startWorking({});
    await vi.waitFor(async () => expect(await countRows()).toBe(0), { timeout: 18_000, interval: 200 });
  });

  it('lets running jobs finish when it stops, and takes no more', async () => {
    const events: string[] = [];
    let finish = (): void => undefined;
    const queue = await startWorking({
      'send-receipt': async () => {
        events.push('started');
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        events.push('finished');
        return 'done';
      },
    });
    await enqueue(receiptJob(1));
    await vi.waitFor(() => expect(events).toEqual(['started']), 5000);
    const stopped = queue.stop().then(() => events.push('stopped'));
    await enqueue(receiptJob(2));
    finish();
    await stopped;
    expect(events).toEqual(['started', 'finished', 'stopped']);
    expect(await opened.queuedJobs()).toMatchObject([{ receiptId: 'receipt 2' }]);
  });

  it('gives a job back that does not end in time', async () => {
    let started = false;
    const queue = await startWorking({
      'send-receipt': () => {
        started = true;
        return new Promise(() => undefined);
      },
    });
    await enqueue(receiptJob(1));
    await vi.waitFor(() => expect(started).toBe(true), 5000);
    await queue.stop({ withinMs: 100 });
    expect(await opened.queuedJobs()).toMatchObject([{ receiptId: 'receipt 1' }]);
  });

  it('does the job of a process that was killed', { timeout: 40_000 }, async () => {
    await enqueue(receiptJob(1));
    const child = spawnWorker(opened.url);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    const killedAt = Date.now();
    let doneAt = 0;
    await startWorking({
      'send-receipt': async () => {
        doneAt = Date.now();
        return 'done';
      },
    });
    await vi.waitFor(() => expect(doneAt).toBeGreaterThan(0), { timeout: 30_000, interval: 100 });
    console.log(`The job of the killed process ran again after ${doneAt - killedAt} ms`);
    expect(doneAt - killedAt).toBeLessThan(20_000);
  });
});

/** A process that takes a job, says so, and never finishes it. */
function spawnWorker(url: string): ChildProcess {
  const program = `
    import { createJobQueue } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};
    const queue = createJobQueue({ url: process.argv[1], log: console });
    const take = async () => { console.log('taken'); return new Promise(() => {}); };
    await queue.start({ 'fulfil-delivery': take, 'send-receipt': take });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}
