import { createPostgresStores, openDatabase } from '@handover/adapters-postgres';
import { IDLE_HANDLERS, openTestStores, type TestStores } from '@handover/adapters-postgres/testing';
import {
  beginBulk,
  continueBulk,
  fulfilOrder,
  recordSale,
  runNamedBulk,
  type Stores,
} from '@handover/domain';
import {
  BY_JANA,
  byOwner,
  claimEmail,
  claimIdOf,
  createCountingIds,
  createFakeApiKeys,
  createManualClock,
  makeOrder,
  openShop,
  recordOrder,
} from '@handover/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { startTcpProxy, type TcpProxy } from '../src/network/tcp-proxy.ts';

// A client that gives up waiting for an answer does not know whether the transaction was committed: see decision 88. Here each was.

const SECRET_BOX = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

let direct: TestStores;
let proxy: TcpProxy;
let database: ReturnType<typeof openDatabase>;
let stores: Stores;

beforeAll(async () => {
  direct = await openTestStores(inject('postgres'));
  proxy = await startTcpProxy(direct.url);
});

// New connections each time: the text of a statement is sent once over each, and messages are known by it.
beforeEach(async () => {
  await direct.clear();
  const log = { warn: () => undefined, error: () => undefined };
  database = openDatabase({ url: proxy.url, log });
  stores = createPostgresStores({ database, jobs: direct.queue, secretBox: SECRET_BOX });
});

afterEach(() => database.close());

afterAll(async () => {
  await proxy.close();
  await direct.close();
});

/** Its first message with this word is applied, and the answer to it never arrives. */
async function loseAnswer<Answer>(word: string, work: () => Promise<Answer>): Promise<Answer | string> {
  // Connections begin with the setting synchronous_commit, which is not the word.
  const pattern = new RegExp(`\\b${word}\\b`);
  const lost = proxy.failNext('lose-answer', (message) => pattern.test(message.toString('latin1')));
  const answer = await work().catch((error) => error.code);
  await lost;
  // PostgreSQL can still be at work on what it was sent.
  await vi.waitFor(
    async () => expect(await count('pg_stat_activity', IN_TRANSACTION)).toBe(0),
    WAIT_TIMEOUT_MS,
  );
  return answer;
}

const IN_TRANSACTION = `datname = current_database() and pid <> pg_backend_pid()
  and backend_type = 'client backend' and xact_start is not null`;

async function openSales() {
  const ports = {
    stores,
    clock: createManualClock(),
    ids: createCountingIds(),
    apiKeys: createFakeApiKeys(),
  };
  const shop = await openShop(ports);
  const order = makeOrder(shop);
  return {
    ...ports,
    ...{ shop, order, orgId: shop.orgId },
    accept: () => recordOrder(ports, order),
    decide: (id: string) =>
      fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 }),
  };
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await direct.database.pool.query(
    `select count(*)::integer as rows from ${table} where ${where}`,
  );
  return rows[0].rows;
}

it('keeps a delivery that was accepted, and sells once when the shop sends it again', async () => {
  const { accept, decide } = await openSales();
  expect(await loseAnswer('delivery_bodies', accept)).toBe('store-unavailable');
  await accept();
  const { rows } = await direct.database.pool.query('select id from deliveries order by id');
  expect(rows).toHaveLength(2);
  const jobs = (await direct.queuedJobs()).filter(({ kind }) => kind === 'fulfil-delivery');
  expect(jobs.map((job) => 'deliveryId' in job && job.deliveryId).toSorted()).toEqual(
    rows.map(({ id }) => id),
  );
  for (const { id } of rows) await decide(id);
  expect(await count('purchases')).toBe(1);
  expect(await count('outgoing_emails', `kind = 'receipt'`)).toBe(1);
  expect(await count('deliveries', `status = 'pending' and decided_at is not null`)).toBe(2);
});

it('decides a delivery that workers of the process had been reserved for, once their lease ends', async () => {
  const { accept } = await openSales();
  const run = vi.fn(async () => 'done' as const);
  await direct.queue.start({ ...IDLE_HANDLERS, 'fulfil-delivery': run });
  expect(await loseAnswer('delivery_bodies', accept)).toBe('store-unavailable');
  await direct.database.pool.query(`update jobs set lease_until = now() - interval '1 second'`);
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(1), WAIT_TIMEOUT_MS);
  await vi.waitFor(async () => expect(await direct.queuedJobs()).toEqual([]), WAIT_TIMEOUT_MS);
  await direct.queue.stop();
});

it('sells once what was decided, and queues its receipt once', async () => {
  const { accept, decide, orgId } = await openSales();
  const { id } = await accept();
  expect(await loseAnswer('commit', () => decide(id))).toBe('store-unavailable');
  expect(await count('purchases')).toBe(1);
  // The job that runs again ends with this answer.
  await expect(decide(id)).rejects.toMatchObject({ code: 'decided-meanwhile' });
  expect(await count('purchases')).toBe(1);
  expect(await count('download_links')).toBe(1);
  expect(await count('activity', `kind = 'order-delivered'`)).toBe(1);
  expect(await count('outgoing_emails')).toBe(1);
  const mails = (await direct.queuedJobs()).filter(({ kind }) => kind === 'send-email');
  expect(mails).toHaveLength(1);
  expect((await stores.deliveries.find(orgId, id))?.attempts).toBe(1);
});

it('completes an e-mail once, whatever became of it, and raises one alert', async () => {
  for (const kind of ['sent', 'postponed', 'refused'] as const) {
    await direct.clear();
    const { accept, decide, orgId, clock } = await openSales();
    const emailId = (await decide((await accept()).id)).receipt?.id ?? '';
    const claimId = claimIdOf(await claimEmail(stores, orgId, emailId, clock.now()));
    const at = clock.now();
    const nextTryAt = new Date(at.getTime() + 60_000);
    const outcome = {
      sent: { kind, at, answer: '250 OK' },
      postponed: { kind, answer: null, reason: 'Later.', nextTryAt },
      refused: { kind, at, answer: '550 No', reason: 'It was refused.' },
    }[kind] as Parameters<Stores['outgoingEmails']['complete']>[3];
    const end = await loseAnswer('commit', () =>
      stores.outgoingEmails.complete(orgId, emailId, claimId, outcome),
    );
    expect(end).toBe('perhaps-completed');
    const status = kind === 'postponed' ? 'pending' : kind;
    expect(await count('outgoing_emails', `id = '${emailId}' and status = '${status}'`)).toBe(1);
    expect(await count('outgoing_emails', `kind = 'alert'`)).toBe(kind === 'refused' ? 1 : 0);
    expect(await stores.outgoingEmails.complete(orgId, emailId, claimId, outcome)).toBe('not-held');
  }
});

it('records a sale by hand once under its key', async () => {
  const { stores, shop, orgId, ...ports } = await openSales();
  const record = () =>
    recordSale(
      { ...ports, ...stores },
      { orgId, source: 'api', idempotencyKey: 'once', by: BY_JANA },
      {
        ...{ customerId: 'new', newCustomer: { name: 'Ana', email: 'ana@example.com' } },
        ...{ productId: shop.product.id, amount: '49.00', currency: 'EUR', paymentMethod: 'card' },
        sendEmail: true,
      },
    );
  expect(await loseAnswer('commit', record)).toBe('store-unavailable');
  const { rows } = await direct.database.pool.query('select id from purchases');
  expect(await record()).toMatchObject({ kind: 'recorded', purchaseId: rows[0].id });
  expect(await count('purchases')).toBe(1);
  expect(await count('outgoing_emails')).toBe(1);
});

it('begins a bulk action once, and reaches each purchase once', async () => {
  const { stores, shop, orgId, ...ports } = await openSales();
  for (const orderId of ['1', '2', '3']) {
    const order = makeOrder(shop, { orderId });
    const { id } = await recordOrder({ ...ports, stores }, order);
    await fulfilOrder({ ...ports, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
    ports.clock.advance(1000);
  }
  const bulk = { ...ports, inTransaction: stores.inTransaction };
  const query = { text: '', productId: null, customerId: null, source: null, receipt: null };
  const asked = {
    ...{ id: ports.ids.next(), orgId, action: 'revoke' as const, total: 3 },
    ...{ askedAt: ports.clock.now(), by: await byOwner(stores, orgId) },
  };
  const begin = () => beginBulk(bulk, asked, query);
  expect(await loseAnswer('commit', begin)).toBe('store-unavailable');
  await begin();
  expect(await count('activity', `kind = 'bulk-action-started'`)).toBe(1);
  const page = () => continueBulk(bulk, { orgId, bulkId: asked.id }, 2);
  expect(await loseAnswer('commit', page)).toBe('store-unavailable');
  expect(await page()).toBe('done');
  expect(await loseAnswer('commit', page)).toBe('store-unavailable');
  expect(await count('activity', `kind = 'link-revoked'`)).toBe(3);
  expect(await count('activity', `kind = 'bulk-action-ended'`)).toBe(1);
  expect((await stores.bulkActions.find(orgId, asked.id))?.counts).toEqual({
    done: 3,
    before: 0,
    revoked: 0,
  });

  const { rows } = await direct.database.pool.query('select id from purchases');
  const named = { ...asked, id: ports.ids.next(), action: 'restore' as const };
  const run = () =>
    runNamedBulk(
      bulk,
      named,
      rows.map(({ id }) => ({ purchaseId: id, receipt: null })),
    );
  expect(await loseAnswer('commit', run)).toBe('store-unavailable');
  await run();
  expect(await count('activity', `kind = 'link-restored'`)).toBe(3);
  expect((await stores.bulkActions.find(orgId, named.id))?.counts.done).toBe(3);
});
