import type { Job } from '@handover/domain';
import { NO_ORGANISATION } from '@handover/domain';
import { expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createJobQueue } from '../src/index.ts';
import { claimJobs, type LaneTurn, type Query } from '../src/jobs/job-leases.ts';
import { JOB_KINDS, LANE_SIZES } from '../src/jobs/job-outbox.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { deliveryJob, enqueue, opened, openQueueAnew, startWorking } from './queue-of-the-test.ts';

openQueueAnew();

const query: Query = (text, values) => opened.database.pool.query(text, [...values]);

const orgId = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function ordersOf(org: number, count: number, attempts = 0): readonly Job[] {
  return Array.from({ length: count }, (_, number) => ({
    kind: 'fulfil-delivery',
    orgId: orgId(org),
    deliveryId: `${org}-${attempts}-${String(number).padStart(6, '0')}`,
    attempts,
    startAfter: new Date(Date.now() - 60_000 + number),
  }));
}

async function claim(turn: Partial<LaneTurn> = {}) {
  const jobs = await claimJobs(query, JOB_KINDS, [
    { lane: 'orders', room: 10, afterOrg: NO_ORGANISATION, ...turn },
  ]);
  const counts: Record<string, number> = {};
  for (const job of jobs) counts[job.orgId] = (counts[job.orgId] ?? 0) + 1;
  return counts;
}

it('gives each organisation with due work its share, however much one of them has', async () => {
  await enqueue(...ordersOf(1, 500), ...ordersOf(2, 1), ...ordersOf(3, 20));
  expect(await claim()).toEqual({ [orgId(1)]: 3, [orgId(2)]: 1, [orgId(3)]: 3 });
  expect(await claim()).toEqual({ [orgId(1)]: 5, [orgId(3)]: 5 });
});

it('continues after the organisation with the last turn, and starts again after the last one', async () => {
  await enqueue(...[1, 2, 3, 4, 5].flatMap((org) => ordersOf(org, 5)));
  expect(Object.keys(await claim({ room: 2, afterOrg: orgId(3) }))).toEqual([orgId(4), orgId(5)]);
  expect(Object.keys(await claim({ room: 2, afterOrg: orgId(5) }))).toEqual([orgId(1), orgId(2)]);
  expect(Object.keys(await claim({ room: 3, afterOrg: orgId(4) })).sort()).toEqual([1, 2, 5].map(orgId));
});

it('passes over an organisation whose jobs are all under way, or not yet due', async () => {
  await enqueue(...ordersOf(1, 2), ...ordersOf(3, 1));
  await enqueue(...ordersOf(2, 2).map((job) => ({ ...job, startAfter: new Date('2100-01-01') })));
  expect(await claim({ room: 1 })).toEqual({ [orgId(1)]: 1 });
  expect(await claim({ room: 1 })).toEqual({ [orgId(1)]: 1 });
  expect(await claim({ room: 1 })).toEqual({ [orgId(3)]: 1 });
  expect(await claim({ room: 1 })).toEqual({});
});

it('takes turns among more organisations than there is room for', async () => {
  const organisations = Array.from({ length: 200 }, (_, number) => number + 1);
  await enqueue(...organisations.flatMap((org) => ordersOf(org, 2)));
  const firsts = new Map<string, number>();
  let count = 0;
  await startWorking({
    'fulfil-delivery': async (job) => {
      count += 1;
      if (!firsts.has(job.orgId)) firsts.set(job.orgId, count);
      return 'done';
    },
  });
  await vi.waitFor(() => expect(count).toBe(400), WAIT_TIMEOUT_MS);
  // Nobody had a second turn before everybody had a first one, except for the jobs of one query.
  expect(Math.max(...firsts.values())).toBeLessThanOrEqual(200 + LANE_SIZES.orders);
});

it('runs a new order before thousands of released ones that wait', async () => {
  await enqueue(...ordersOf(1, 3_000, 1));
  const released: Array<() => void> = [];
  let fresh = 0;
  const queue = await startWorking({
    'fulfil-delivery': ({ attempts }) => {
      if (attempts === 0) {
        fresh += 1;
        return Promise.resolve('done');
      }
      return new Promise((resolve) => released.push(() => resolve('done')));
    },
  });
  await vi.waitFor(() => expect(released.length).toBeGreaterThan(0), WAIT_TIMEOUT_MS);
  // Also of the same organisation.
  await enqueue(deliveryJob(7));
  queue.wake([deliveryJob(7, new Date(0))]);
  await vi.waitFor(() => expect(fresh).toBe(1), WAIT_TIMEOUT_MS);
  expect(released.length).toBeLessThan(100);
  await queue.stop({ withinMs: 0 });
});

it('takes a quarter of the jobs at once while its process is under pressure, and all of them afterwards', async () => {
  const count = 2 * LANE_SIZES.orders;
  await enqueue(...ordersOf(1, count));
  let pressed = true;
  let running = 0;
  let most = 0;
  let done = 0;
  const ends: (() => void)[] = [];
  const log = { warn: () => undefined, error: () => undefined };
  const queue = createJobQueue({ url: opened.url, log, isPressed: () => pressed });
  await queue.start({
    ...IDLE_HANDLERS,
    'fulfil-delivery': async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      done += 1;
      return 'done';
    },
  });
  const quarter = LANE_SIZES.orders / 4;
  // A wake-up takes no job sooner.
  queue.wake(ordersOf(1, 1));
  for (let taken = quarter; taken <= 2 * quarter; taken += quarter) {
    await vi.waitFor(() => expect(ends).toHaveLength(quarter), WAIT_TIMEOUT_MS);
    for (const end of ends.splice(0)) end();
    await vi.waitFor(() => expect(done).toBe(taken), WAIT_TIMEOUT_MS);
  }
  expect(most).toBe(quarter);
  pressed = false;
  await vi.waitFor(() => expect(running).toBe(LANE_SIZES.orders), WAIT_TIMEOUT_MS);
  await vi.waitFor(() => {
    for (const end of ends.splice(0)) end();
    expect(done).toBe(count);
  }, WAIT_TIMEOUT_MS);
  await queue.stop();
});

it('runs ten thousand jobs with far fewer statements', async () => {
  await enqueue(...[1, 2, 3, 4].flatMap((org) => ordersOf(org, 2_500)));
  let done = 0;
  const log = { warn: () => undefined, error: () => undefined };
  const queue = createJobQueue({ url: opened.url, log });
  const before = await countTransactions();
  await queue.start({
    ...IDLE_HANDLERS,
    'fulfil-delivery': async () => {
      done += 1;
      return 'done';
    },
  });
  await vi.waitFor(() => expect(done).toBe(10_000), { timeout: 4 * WAIT_TIMEOUT_MS, interval: 200 });
  await queue.stop();
  expect((await query('select from jobs', [])).rows).toEqual([]);
  const statements = (await countTransactions()) - before;
  console.log(`10,000 jobs took ${statements} statements`);
  expect(statements).toBeLessThan(1_500);
});

async function countTransactions(): Promise<number> {
  const { rows } = await query(
    `select pg_stat_force_next_flush(), xact_commit::integer as count from pg_stat_database
     where datname = current_database()`,
    [],
  );
  return rows[0].count;
}
