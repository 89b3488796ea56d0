import { fulfilOrder, type Job, NO_ORGANISATION } from '@handover/domain';
import { claimIdOf, makeOrder, recordOrder } from '@handover/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { LIMITS } from '../src/database/purposes.ts';
import {
  createJobQueue,
  createPostgresStores,
  type JobHandlers,
  type JobQueue,
  openDatabase,
} from '../src/index.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { clock, count, ids, opened, openShopAnew, ports, sellOnce, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };
const log = { warn: () => undefined, error: () => undefined };

let queue: JobQueue;

openShopAnew(beforeEach);

beforeEach(() => {
  queue = createJobQueue({ url: opened.url, log, clock });
});

afterEach(() => queue.stop({ withinMs: 0 }));

/** A process that works on the queue. */
function openProcess({ database = opened.database, jobs = queue } = {}) {
  return createPostgresStores({ database, jobs, secretBox });
}

type Process = ReturnType<typeof openProcess>;

async function startWorking(handlers: Partial<JobHandlers>): Promise<void> {
  await queue.start({ ...IDLE_HANDLERS, ...handlers });
}

async function claimMail({ outgoingEmails }: Process, emailId: string): Promise<string> {
  return claimIdOf(await outgoingEmails.claim(shop.orgId, emailId, clock.now(), () => ids.next()));
}

function completeMail({ outgoingEmails }: Process, emailId: string, claimId: string) {
  const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
  return outgoingEmails.complete(shop.orgId, emailId, claimId, sent);
}

function receiptJob(emailId: string, orgId = shop.orgId): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId, emailId, startAfter: clock.now() };
}

function enqueue(...jobs: Job[]): Promise<void> {
  return opened.database.db.transaction().execute((trx) => opened.queue.enqueue(trx, jobs));
}

const recordsRuns = ({ text }: { readonly text: string }) => text.includes('asked_at');

it('ends the job of a mail with the commit that records that it was sent', async () => {
  const process = openProcess();
  const { receiptId } = await sellOnce();
  const jobsLeft = Promise.withResolvers<number>();
  const { statements } = await watchStatements(opened, async () => {
    await startWorking({
      'send-email': async ({ emailId }) => {
        expect(await completeMail(process, emailId, await claimMail(process, emailId))).toBe('completed');
        jobsLeft.resolve(await count(`jobs where subject = '${receiptId}'`));
        return 'done';
      },
    });
    expect(await jobsLeft.promise).toBe(0);
    await queue.stop();
  });
  expect(statements.filter(recordsRuns)).toEqual([]);
});

it('ends the job of an entry with the commit of its plan', async () => {
  const order = makeOrder(shop);
  const { id } = await recordOrder(ports(), order);
  const process = openProcess();
  const decided = Promise.withResolvers<void>();
  const { statements } = await watchStatements(opened, async () => {
    await startWorking({
      'fulfil-delivery': async ({ deliveryId, attempts }) => {
        await fulfilOrder({ ...ports(), ...process }, order, { id: deliveryId, attempts });
        decided.resolve();
        return 'done';
      },
    });
    await decided.promise;
    await queue.stop();
  });
  expect(await count(`jobs where subject = '${id}'`)).toBe(0);
  const recorded = statements.filter(recordsRuns).map(({ values }) => String(values[0]));
  expect(recorded.join()).toContain('send-email');
  expect(recorded.join()).not.toContain('fulfil-delivery');
});

it('runs the job of a mail again that was queued again while it was being sent', async () => {
  const process = openProcess();
  const { receiptId } = await sellOnce();
  let runs = 0;
  await startWorking({
    'send-email': async ({ emailId }) => {
      runs += 1;
      if (runs > 1) return 'done';
      const claimId = await claimMail(process, emailId);
      await enqueue(receiptJob(receiptId));
      await completeMail(process, emailId, claimId);
      return 'done';
    },
  });
  await vi.waitFor(async () => {
    expect(runs).toBe(2);
    expect(await count('jobs')).toBe(0);
  }, WAIT_TIMEOUT_MS);
});

it('does not wait for a job that is locked, and ends it afterwards', async () => {
  const process = openProcess();
  await sellOnce();
  const completed = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  await startWorking({
    'send-email': async ({ emailId }) => {
      const claimId = await claimMail(process, emailId);
      await locked.promise;
      await completeMail(process, emailId, claimId);
      completed.resolve();
      return 'done';
    },
  });
  await vi.waitFor(
    async () => expect(await count('outgoing_emails where claim_id is not null')).toBe(1),
    WAIT_TIMEOUT_MS,
  );
  await opened.database.db.transaction().execute(async (trx) => {
    await sql`select from jobs for update`.execute(trx);
    locked.resolve();
    await completed.promise;
  });
  await vi.waitFor(async () => expect(await count('jobs')).toBe(0), WAIT_TIMEOUT_MS);
});

it('ends no job of another organisation, and none that waits', async () => {
  const process = openProcess();
  const { receiptId } = await sellOnce();
  await enqueue(receiptJob(receiptId, NO_ORGANISATION));
  await sql`update jobs set lease_id = gen_random_uuid(), lease_until = now() + interval '1 minute'
    where org_id = ${NO_ORGANISATION}`.execute(opened.database.db);
  await completeMail(process, receiptId, await claimMail(process, receiptId));
  expect(await count('jobs where lease_id is not null')).toBe(1);
  expect(await count('jobs where lease_id is null')).toBe(1);
});

it('records the outcome of a run though it is told late that an earlier job of the same mail was removed', async () => {
  const secondRun = Promise.withResolvers<void>();
  const announced = Promise.withResolvers<void>();
  const process = openProcess({
    jobs: {
      ...queue,
      announceRemoved: (removed) =>
        void secondRun.promise.then(() => {
          queue.announceRemoved(removed);
          announced.resolve();
        }),
    },
  });
  await sellOnce();
  let runs = 0;
  await startWorking({
    'send-email': async ({ emailId }) => {
      runs += 1;
      if (runs === 1) {
        await completeMail(process, emailId, await claimMail(process, emailId));
        await enqueue(receiptJob(emailId));
        return 'done';
      }
      secondRun.resolve();
      await announced.promise;
      return { again: inAnHour() };
    },
  });
  await vi.waitFor(async () => expect(await count(JOBS_THAT_WAIT)).toBe(1), WAIT_TIMEOUT_MS);
  expect(runs).toBe(2);
});

it('records the outcome of a run though the same job is begun late under an earlier lease', async () => {
  let runs = 0;
  const lateRun = Promise.withResolvers<void>();
  await startWorking({
    'send-email': async () => {
      runs += 1;
      if (runs === 2) return 'done';
      await lateRun.promise;
      return { again: inAnHour() };
    },
  });
  const job = receiptJob('a receipt');
  const reservation = queue.reserve([job]);
  await opened.database.db.transaction().execute(async (trx) => {
    await queue.enqueue(trx, [job], reservation);
    await sql`update jobs set lease_until = now() - interval '1 second'`.execute(trx);
  });
  queue.wake([job]);
  await vi.waitFor(() => expect(runs).toBe(1), WAIT_TIMEOUT_MS);
  reservation.start([job]);
  await vi.waitFor(() => expect(runs).toBe(2), WAIT_TIMEOUT_MS);
  lateRun.resolve();
  await vi.waitFor(async () => expect(await count(JOBS_THAT_WAIT)).toBe(1), WAIT_TIMEOUT_MS);
  expect(runs).toBe(2);
});

it('records the outcome of a run whose transaction removed its job and was rolled back', async () => {
  const process = openProcess();
  const { receiptId } = await sellOnce();
  let runs = 0;
  await startWorking({
    'send-email': async () => {
      runs += 1;
      const claimId = await claimMail(process, receiptId);
      const rolledBack = process.inTransaction(async (stores) => {
        await completeMail({ ...process, ...stores }, receiptId, claimId);
        throw new Error('rolled back');
      });
      await expect(rolledBack).rejects.toThrow('rolled back');
      return { again: inAnHour() };
    },
  });
  await vi.waitFor(async () => expect(await count(JOBS_THAT_WAIT)).toBe(1), WAIT_TIMEOUT_MS);
  expect(runs).toBe(1);
});

it('records that a mail was sent while the table of jobs is locked', async () => {
  const database = openDatabase({ url: opened.url, limits: { ...LIMITS.deciding, lockMs: 100 }, log });
  const process = openProcess({ database });
  const { receiptId } = await sellOnce();
  const claimId = await claimMail(process, receiptId);
  await opened.database.db.transaction().execute(async (trx) => {
    await sql`lock table jobs in access exclusive mode`.execute(trx);
    expect(await completeMail(process, receiptId, claimId)).toBe('completed');
  });
  expect(await count(`outgoing_emails where status = 'sent'`)).toBe(1);
  expect(await count('jobs')).toBe(1);
  await database.close();
});

const JOBS_THAT_WAIT = `jobs where lease_id is null and due_at > now() + interval '30 minutes'`;

function inAnHour(): Date {
  return new Date(Date.now() + 60 * 60_000);
}
