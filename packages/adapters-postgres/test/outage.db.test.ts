import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Stores } from '@handover/domain';
import { claimEmail } from '@handover/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import {
  createJobQueue,
  createPostgresStores,
  type Database,
  type JobQueue,
  openDatabase,
} from '../src/index.ts';
import { IDLE_HANDLERS, openTestStores, type TestStores } from '../src/testing/index.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Half-open connections are given up within a test, and what is merely slow is not. */
const limits = {
  maxConnections: 10,
  waitMs: 10_000,
  statementMs: 9_000,
  lockMs: 9_000,
  keepsPlans: true,
  isDurable: true,
};
const ORG = '00000000-0000-7000-8000-000000000001';
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

let direct: TestStores;
let wire: TcpProxy;
let database: Database;
let queue: JobQueue;
let stores: Stores;
const unhandled = vi.fn();

beforeEach(async () => {
  process.on('unhandledRejection', unhandled);
  direct = await openTestStores(inject('postgres'));
  wire = await startTcpProxy(direct.url);
  database = openDatabase({ url: wire.url, limits, log });
  queue = createJobQueue({ url: wire.url, log });
  stores = createPostgresStores({ database, jobs: queue, secretBox });
});

afterEach(async () => {
  await wire.mend();
  await queue.stop({ withinMs: 1000 });
  await database.close();
  await wire.close();
  await direct.close();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe('when the database goes away', () => {
  it('every store says so, at once, and works again as soon as it is back', async () => {
    await Promise.all(Array.from({ length: 10 }, () => stores.organisations.find(ORG)));
    await wire.cut();
    const cutAt = Date.now();
    for (const ask of questions(stores)) {
      await expect(ask()).rejects.toMatchObject({
        code: 'store-unavailable',
        cause: expect.any(Error),
      });
    }
    expect(Date.now() - cutAt).toBeLessThan(5000);
    await wire.mend();
    expect(await stores.organisations.find(ORG)).toBe(null);
    expect(await Promise.all(Array.from({ length: 20 }, () => stores.organisations.find(ORG)))).toHaveLength(
      20,
    );
  });

  it('a transaction that is under way says so', async () => {
    for (const end of [() => wire.cut(), terminateAll]) {
      const broken = database.db.transaction().execute(async (trx) => {
        await trx.selectFrom('organisations').select('id').execute();
        await end();
        await trx.selectFrom('organisations').select('id').execute();
      });
      await expect(broken).rejects.toMatchObject({ code: 'store-unavailable' });
      await wire.mend();
      expect(await stores.organisations.find(ORG)).toBe(null);
    }
  });

  it('idle connections are lost without harm', async () => {
    await stores.organisations.find(ORG);
    await terminateAll();
    await vi.waitFor(() => expect(database.pool.totalCount).toBe(0), WAIT_TIMEOUT_MS);
    expect(await stores.organisations.find(ORG)).toBe(null);
  });

  it('the queue goes on by itself once it is back', async () => {
    const done: string[] = [];
    await queue.start({
      ...IDLE_HANDLERS,
      'send-email': async ({ emailId }) => {
        done.push(emailId);
        return 'done';
      },
    });
    await enqueue(receiptJob('before'));
    await vi.waitFor(() => expect(done).toEqual(['before']), WAIT_TIMEOUT_MS);
    await wire.cut();
    await pause(3000);
    await enqueue(receiptJob('meanwhile'));
    await wire.mend();
    await vi.waitFor(() => expect(done).toEqual(['before', 'meanwhile']), WAIT_TIMEOUT_MS);
  });

  it('readiness tells a dead or hung database from a busy pool', async () => {
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    const busy = Array.from({ length: 10 }, () => database.pool.query('select pg_sleep(1)'));
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    await Promise.all(busy);
    wire.stall();
    const stalledAt = Date.now();
    expect(await database.answers(300)).toBe(false);
    expect(Date.now() - stalledAt).toBeLessThan(WAIT_TIMEOUT_MS);
    await wire.mend();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    await wire.cut();
    expect(await database.answers(300)).toBe(false);
  });

  it('a database that accepts connections slowly and answers on open ones counts as up', async () => {
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    wire.stallNewcomers();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    await terminateAll();
    expect(await database.answers(300)).toBe(false);
    await wire.mend();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
  });

  it('a connection that hangs is not taken for a database that does', async () => {
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    wire.stall();
    wire.reroute();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
  });

  it('however many ask at once whether the database is there, it is asked over one connection', async () => {
    const crowd = Array.from({ length: 50 }, () => database.answers(WAIT_TIMEOUT_MS));
    expect(await Promise.all(crowd)).not.toContain(false);
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    expect(wire.taken()).toBe(1);
  });

  it('connections that hang are broken, and it works again though they stay dead', async () => {
    await queue.start(IDLE_HANDLERS);
    await Promise.all(Array.from({ length: 10 }, () => stores.organisations.find(ORG)));
    wire.stall();
    const hungAt = Date.now();
    // Half of the pool is at it when the network parts; one of them in the middle of a transaction.
    const broken = [
      ...Array.from({ length: 4 }, () => stores.organisations.find(ORG)),
      database.db.transaction().execute((trx) => trx.selectFrom('users').select('id').execute()),
    ].map((work) => expect(work).rejects.toMatchObject({ code: 'store-unavailable' }));
    await Promise.all(broken);
    expect(Date.now() - hungAt).toBeLessThan(WAIT_TIMEOUT_MS);
    wire.reroute();
    const backAt = Date.now();
    await Promise.all(Array.from({ length: 20 }, () => stores.organisations.find(ORG)));
    expect(Date.now() - backAt).toBeLessThan(WAIT_TIMEOUT_MS);
    await enqueue(receiptJob('after'));
    await vi.waitFor(async () => expect(await direct.queuedJobs()).toEqual([]), WAIT_TIMEOUT_MS);
  });

  it('a slow query is left alone, and so is one that a short stall held up', async () => {
    const slow = database.pool.query('select pg_sleep(7)');
    const held = database.pool.query('select pg_sleep(1)');
    wire.stall();
    await pause(2500);
    await wire.mend();
    await Promise.all([slow, held]);
  });

  it('connections that died alone are broken, and slow queries beside them are not', async () => {
    await queue.start(IDLE_HANDLERS);
    await direct.database.pool.query(
      `insert into organisations (id, name, email, created_at) values ($1, 'Lumen', 'a@x', now())`,
      [ORG],
    );
    const touch = sql`update organisations set name = name where id = ${ORG}`;
    await Promise.all(Array.from({ length: 5 }, () => database.pool.query('select pg_sleep(0.1)')));
    const lost = Promise.withResolvers<void>();
    // One dies in the middle of a transaction, with a row locked.
    const transaction = database.db.transaction().execute(async (trx) => {
      await touch.execute(trx);
      await lost.promise;
      await touch.execute(trx);
    });
    const idleOnPurpose = await database.pool.connect();
    await vi.waitFor(() => expect(database.pool.idleCount).toBe(3), WAIT_TIMEOUT_MS);
    await pause(300);
    wire.stall();
    wire.reroute();
    lost.resolve();
    const lostAt = Date.now();
    const broken = [transaction, ...Array.from({ length: 2 }, () => stores.organisations.find(ORG))].map(
      (work) => expect(work).rejects.toMatchObject({ code: 'store-unavailable' }),
    );
    const alsoBroken = expect(database.pool.query('select 1')).rejects.toThrow('Query read timeout');
    const slow = database.pool.query('select pg_sleep(7)');
    await Promise.all([...broken, alsoBroken]);
    expect(Date.now() - lostAt).toBeLessThan(WAIT_TIMEOUT_MS);
    await Promise.all(Array.from({ length: 8 }, () => touch.execute(database.db)));
    await enqueue(receiptJob('after'));
    await vi.waitFor(async () => expect(await direct.queuedJobs()).toEqual([]), WAIT_TIMEOUT_MS);
    expect(Date.now() - lostAt).toBeLessThan(WAIT_TIMEOUT_MS);
    await slow;
    idleOnPurpose.release(true);
  });

  it('a connection that is borrowed and not asked is left alone', async () => {
    const borrowed = await database.pool.connect();
    await borrowed.query('begin');
    // Shorter than what a transaction may be idle for.
    await database.pool.query('select pg_sleep(2)');
    await borrowed.query('commit');
    borrowed.release();
  });

  it('behind a pooler, whose process ids mean nothing, a query that a stall held up is left alone', async () => {
    const pooler = await startTcpProxy(direct.url, { changeProcessIds: true });
    const pooled = openDatabase({ url: pooler.url, limits, log });
    await pooled.pool.query('select 1');
    pooler.stall();
    pooler.reroute();
    const patient = pooled.pool.query('select 1 as one');
    await pause(5000);
    await pooler.mend();
    expect((await patient).rows).toEqual([{ one: 1 }]);
    await pooled.close();
    await pooler.close();
  });

  it('behind a pooler, too, a half-open connection keeps a request no longer than the limit', async () => {
    const short = { ...limits, statementMs: 1_000, lockMs: 1_000 };
    const pooler = await startTcpProxy(direct.url, { changeProcessIds: true });
    const pooled = openDatabase({ url: pooler.url, limits: short, log });
    await Promise.all(Array.from({ length: 3 }, () => pooled.pool.query('select pg_sleep(0.1)')));
    pooler.stall();
    pooler.reroute();
    const hungAt = performance.now();
    const transaction = pooled.db.transaction().execute((trx) => sql`select 1`.execute(trx));
    await expect(transaction).rejects.toMatchObject({ code: 'store-unavailable' });
    expect(performance.now() - hungAt).toBeLessThan(WAIT_TIMEOUT_MS);
    // None of the other connections, which were idle, is given to a retry.
    await Promise.all(Array.from({ length: 3 }, () => pooled.pool.query('select 1')));
    await pooled.close();
    await pooler.close();
  });

  it('waiting for a free connection is not an outage', async () => {
    const busy = Array.from({ length: 10 }, () => database.pool.query('select pg_sleep(1)'));
    expect(await stores.organisations.find(ORG)).toBe(null);
    await Promise.all(busy);
  });
});

function questions(all: Stores): ReadonlyArray<() => Promise<unknown>> {
  const now = new Date();
  const job: Job = { kind: 'fulfil-delivery', orgId: ORG, deliveryId: ORG, attempts: 0, startAfter: now };
  const body = { id: ORG, bytes: new Uint8Array(), headers: {} };
  return [
    () => all.organisations.find(ORG),
    () => all.users.findByKeyHash('0'.repeat(64)),
    () => all.connections.list(ORG, 'cart-a', now),
    () => all.products.find(ORG, ORG),
    () => all.products.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.purchases.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.skuMappings.put(ORG, { sku: 'x', platform: null, productId: null }),
    () =>
      all.deliveries.record({ orgId: ORG, body, deliveries: [], jobs: [job], proof: null, rejectedId: null }),
    () => all.deliveries.find(ORG, ORG),
    () => claimEmail(all, ORG, ORG, now),
    () => all.links.find(ORG, ORG),
    () => all.links.refresh(ORG, ORG, now, now),
    () => all.organisations.setSubscription(ORG, null, now),
    () => all.users.replaceKey(ORG, { hash: '0'.repeat(64), sealed: '' }),
    () => all.skuMappings.list(ORG)[Symbol.asyncIterator]().next(),
    () => all.skuMappings.remove(ORG, 'x', null),
    () => all.deliveries.list(ORG, { status: null, platform: null, before: null, limit: 1 }),
    () => all.deliveries.show(ORG, ORG),
    () => all.sessions.begin(ORG, ORG, { sessionId: ORG, joining: null, client: 'browser', at: now }),
    () => all.sessions.addSent(ORG, ORG, { version: '1', name: 'a', size: 1, ranges: [] }, now),
    () => all.sessions.latest(ORG, ORG),
    () => all.sessions.show(ORG, ORG),
    () => all.sessions.search(ORG, { text: 'x', state: null, now, before: null, limit: 1 }),
    () => all.sessions.list(ORG, { from: now, until: now })[Symbol.asyncIterator]().next(),
  ];
}

function receiptJob(receiptId: string): Job {
  return { kind: 'send-email', emailKind: 'receipt', orgId: ORG, emailId: receiptId, startAfter: new Date() };
}

function enqueue(job: Job): Promise<void> {
  return direct.database.db.transaction().execute((trx) => direct.queue.enqueue(trx, [job]));
}

async function terminateAll(): Promise<void> {
  await direct.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
}
