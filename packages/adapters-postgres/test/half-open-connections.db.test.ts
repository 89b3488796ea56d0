import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { openDatabase } from '../src/index.ts';
import { IDLE_HANDLERS } from '../src/testing/index.ts';
import {
  closeWire,
  database,
  direct,
  enqueue,
  limits,
  log,
  ORG,
  openWire,
  queue,
  receiptJob,
  stores,
  wire,
} from './outage-of-the-test.ts';
import { startTcpProxy } from './tcp-proxy.ts';

beforeEach(openWire);
afterEach(closeWire);

describe('when connections hang or die alone', () => {
  it('connections that hang are closed, and the pool works again although they stay dead', async () => {
    await queue.start(IDLE_HANDLERS);
    await Promise.all(Array.from({ length: 10 }, () => stores.organisations.find(ORG)));
    wire.stall();
    const hungAt = Date.now();
    // Half of the pool is in use when the network is cut; one connection is in a transaction.
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
    await wire.restore();
    await Promise.all([slow, held]);
  });

  it('connections that died alone are closed, and slow queries on others are not', async () => {
    await queue.start(IDLE_HANDLERS);
    await direct.database.pool.query(
      `insert into organisations (id, name, email, created_at) values ($1, 'Lumen', 'a@x', now())`,
      [ORG],
    );
    const touch = sql`update organisations set name = name where id = ${ORG}`;
    await Promise.all(Array.from({ length: 5 }, () => database.pool.query('select pg_sleep(0.1)')));
    const lost = Promise.withResolvers<void>();
    // One connection dies in a transaction that has locked a row.
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
    // Shorter than the idle limit of a transaction.
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
    await pooler.restore();
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
    // A retry gets none of the other connections, which were idle.
    await Promise.all(Array.from({ length: 3 }, () => pooled.pool.query('select 1')));
    await pooled.close();
    await pooler.close();
  });
});
