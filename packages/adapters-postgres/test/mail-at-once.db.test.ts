import {
  CLAIM_LASTS_MS,
  decideFulfilment,
  type EmailClaim,
  fulfilOrder,
  type JobAnswer,
  type Order,
  type Plan,
} from '@handover/domain';
import { claimIdOf, emailOf, makeOrder, recordOrder } from '@handover/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { WITH_NEXT } from '../src/database/transact.ts';
import { createClaimLeases, createJobQueue, createPostgresStores, type JobQueue } from '../src/index.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import { clock, count, ids, opened, openShopAnew, ports, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };
const log = { warn: () => undefined, error: () => undefined };

/** What the process's own clock says. */
let time = 0;
let queue: JobQueue;
let mailed: string[];
let answer: (job: { readonly emailId: string }) => Promise<JobAnswer>;

openShopAnew(beforeEach);

beforeEach(async () => {
  time = 0;
  mailed = [];
  answer = () => new Promise(() => undefined);
  queue = createJobQueue({ url: opened.url, log, clock });
  await queue.start({
    ...IDLE_HANDLERS,
    'send-email': (job) => {
      mailed.push(job.emailId);
      return answer(job);
    },
  });
});

afterEach(() => queue.stop({ withinMs: 0 }));

/** A process that decides and mails. */
function openProcess() {
  const leases = createClaimLeases(() => time);
  return { leases, ...createPostgresStores({ database: opened.database, jobs: queue, secretBox, leases }) };
}

let orders = 0;

function newOrder(): Order {
  orders += 1;
  const customer = { email: `buyer-${orders}@example.com`, name: 'Ana Lima' };
  return makeOrder(shop, { orderId: `at-once-${orders}`, customer });
}

async function planFor(order: Order): Promise<Plan> {
  const { id } = await recordOrder(ports(), order);
  const known = await opened.stores.fulfilment.loadSnapshot(order);
  return decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
}

function claim(
  { outgoingEmails }: Pick<ReturnType<typeof openProcess>, 'outgoingEmails'>,
  { receipt }: Plan,
) {
  return outgoingEmails.claim(shop.orgId, receipt?.id ?? '', clock.now(), () => ids.next());
}

it('asks what its receipts say in the message that looks for other entries of its orders', async () => {
  const process = openProcess();
  const plan = await planFor(newOrder());
  const { statements } = await watchStatements(opened, () => process.fulfilment.commit(plan));
  const texts = statements.map(({ text }) => text);
  const last = texts.findIndex((text) => text.includes("outcome in ('held', 'unmatched')"));
  const before = texts.slice(last - 3, last);
  expect(before.map((text) => text.startsWith(WITH_NEXT))).toEqual([true, true, true]);
  const [receipts, items, removed] = before;
  expect([receipts, items].map((text) => /receipt|bought/.test(text ?? ''))).toEqual([true, true]);
  expect(removed).toContain('delete from jobs');
});

it('mails the receipts of a batch without a look for jobs, a claim or a statement about them', async () => {
  const process = openProcess();
  const plans = await Promise.all([newOrder(), newOrder(), newOrder()].map(planFor));
  await Promise.all(plans.map((plan) => process.fulfilment.commit(plan)));
  expect(mailed.toSorted()).toEqual(plans.map(({ receipt }) => receipt?.id).toSorted());
  const { result: claims, statements } = await watchStatements(opened, () =>
    Promise.all(plans.map((plan) => claim(process, plan))),
  );
  expect(statements.filter(({ text }) => text.includes('outgoing_emails'))).toEqual([]);
  for (const [at, one] of claims.entries()) {
    const { customer, receipt } = plans[at] as Plan;
    expect(emailOf(one, 'receipt')).toMatchObject({ id: receipt?.id, customer: { email: customer?.email } });
    expect(process.leases.isSure(claimIdOf(one))).toBe(true);
  }
});

it('says the same as a claim that is made later', async () => {
  const process = openProcess();
  const plan = await planFor(newOrder());
  await process.fulfilment.commit(plan);
  const atOnce = await claim(process, plan);
  await opened.expireClaims();
  const later = await claim({ outgoingEmails: opened.storesOfOne.outgoingEmails }, plan);
  expect(emailOf(atOnce, 'receipt')).toEqual(emailOf(later, 'receipt'));
  expect(claimIdOf(atOnce)).not.toBe(claimIdOf(later));
});

it('keeps a receipt from everybody else until its claim expires, and gives it out once', async () => {
  const process = openProcess();
  const plan = await planFor(newOrder());
  await process.fulfilment.commit(plan);
  expect(await claim({ outgoingEmails: opened.storesOfOne.outgoingEmails }, plan)).toMatchObject({
    kind: 'not-now',
  });
  const first = await claim(process, plan);
  expect(first.kind).toBe('claimed');
  expect(await claim(process, plan)).toMatchObject({ kind: 'not-now' });
  const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
  const end = await process.outgoingEmails.complete(
    shop.orgId,
    plan.receipt?.id ?? '',
    claimIdOf(first),
    sent,
  );
  expect(end).toBe('completed');
  expect(await count(`deliveries where status = 'success'`)).toBe(1);
});

it('does not mail under a claim that may have expired', async () => {
  const process = openProcess();
  const plan = await planFor(newOrder());
  await process.fulfilment.commit(plan);
  time += CLAIM_LASTS_MS;
  expect(await claim(process, plan)).toMatchObject({ kind: 'not-now' });
});

it('claims nothing for a plan that was not committed, and mails it when it is', async () => {
  const process = openProcess();
  const order = newOrder();
  const outdated = await planFor(order);
  const { receipt } = await fulfilOrder(ports(), order, { id: outdated.delivery.id, attempts: 0 });
  expect(await process.fulfilment.commit(outdated)).toBe('decided-meanwhile');
  expect(await count('outgoing_emails where claim_id is not null')).toBe(0);
  await vi.waitFor(() => expect(mailed).toEqual([receipt?.id]), WAIT_TIMEOUT_MS);
});

it('leaves receipts to those who look for jobs when the stores act within a transaction', async () => {
  const plan = await planFor(newOrder());
  await openProcess().inTransaction(async ({ fulfilment }) => {
    await fulfilment.commit(plan);
  });
  expect(await count('outgoing_emails where claim_id is null')).toBe(1);
  await vi.waitFor(() => expect(mailed).toEqual([plan.receipt?.id]), WAIT_TIMEOUT_MS);
});

it('ends the job with the mail', async () => {
  const process = openProcess();
  const plan = await planFor(newOrder());
  answer = async () => {
    const made: EmailClaim = await claim(process, plan);
    const sent = { kind: 'sent', at: clock.now(), answer: '250 OK' } as const;
    await process.outgoingEmails.complete(shop.orgId, plan.receipt?.id ?? '', claimIdOf(made), sent);
    return 'done';
  };
  await process.fulfilment.commit(plan);
  await vi.waitFor(
    async () => expect(await count("jobs where kind = 'send-email'")).toBe(0),
    WAIT_TIMEOUT_MS,
  );
  expect(mailed).toHaveLength(1);
});
