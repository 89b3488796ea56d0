import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
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
  questions,
  queue,
  receiptJob,
  stores,
  terminateAll,
  wire,
} from './outage-of-the-test.ts';

beforeEach(openWire);
afterEach(closeWire);

describe('when the database goes away', () => {
  it('every store reports it at once, and works again as soon as the database is back', async () => {
    await Promise.all(Array.from({ length: 10 }, () => stores.organisations.find(ORG)));
    await wire.cut();
    const cutAt = Date.now();
    for (const ask of questions(stores)) {
      await expect(ask()).rejects.toMatchObject({
        code: 'store-unavailable',
        cause: expect.any(Error),
      });
    }
    // Not even one of them waited for a connection.
    expect(Date.now() - cutAt).toBeLessThan(limits.waitMs);
    await wire.restore();
    expect(await stores.organisations.find(ORG)).toBe(null);
    expect(await Promise.all(Array.from({ length: 20 }, () => stores.organisations.find(ORG)))).toHaveLength(
      20,
    );
  });

  it('a running transaction reports it', async () => {
    for (const end of [() => wire.cut(), terminateAll]) {
      const broken = database.db.transaction().execute(async (trx) => {
        await trx.selectFrom('organisations').select('id').execute();
        await end();
        await trx.selectFrom('organisations').select('id').execute();
      });
      await expect(broken).rejects.toMatchObject({ code: 'store-unavailable' });
      await wire.restore();
      expect(await stores.organisations.find(ORG)).toBe(null);
    }
  });

  it('idle connections are lost without an error', async () => {
    await stores.organisations.find(ORG);
    await terminateAll();
    await vi.waitFor(() => expect(database.pool.totalCount).toBe(0), WAIT_TIMEOUT_MS);
    expect(await stores.organisations.find(ORG)).toBe(null);
  });

  it('the queue continues by itself once the database is back', async () => {
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
    // From here on the queue only looks for jobs.
    await vi.waitFor(async () => expect(await direct.queuedJobs()).toEqual([]), WAIT_TIMEOUT_MS);
    const logged = vi.spyOn(log, 'error');
    onTestFinished(() => logged.mockRestore());
    await wire.cut();
    const goesOn = [expect.anything(), 'The job queue met an error; it goes on'];
    await vi.waitFor(() => expect(logged).toHaveBeenCalledWith(...goesOn), WAIT_TIMEOUT_MS);
    await enqueue(receiptJob('meanwhile'));
    await wire.restore();
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
    await wire.restore();
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
    await wire.restore();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
  });

  it('a connection that hangs is not taken for a database that does', async () => {
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    wire.stall();
    wire.reroute();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
  });

  it('a connection that is not open in time answers the next probe, and is not opened again', async () => {
    wire.stallNewcomers();
    expect(await database.answers(200)).toBe(false);
    await wire.restore();
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    expect(wire.taken()).toBe(1);
  });

  it('many concurrent probes use one connection', async () => {
    const crowd = Array.from({ length: 50 }, () => database.answers(WAIT_TIMEOUT_MS));
    expect(await Promise.all(crowd)).not.toContain(false);
    expect(await database.answers(WAIT_TIMEOUT_MS)).toBe(true);
    expect(wire.taken()).toBe(1);
  });

  it('waiting for a free connection is not an outage', async () => {
    const busy = Array.from({ length: 10 }, () => database.pool.query('select pg_sleep(1)'));
    expect(await stores.organisations.find(ORG)).toBe(null);
    await Promise.all(busy);
  });
});
