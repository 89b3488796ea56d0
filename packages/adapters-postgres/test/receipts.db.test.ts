import type { EmailOutcome, Stores } from '@handover/domain';
import { claimEmail, claimIdOf } from '@handover/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { createPostgresStores, openDatabase } from '../src/index.ts';
import { clock, opened, openShopAnew, sell, sellOnce, shop } from './shop-of-the-test.ts';
import { startTcpProxy } from './tcp-proxy.ts';

let receiptId: string;
let deliveryId: string;
const log = { warn: () => undefined, error: () => undefined };
const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };

openShopAnew(beforeEach);

beforeEach(async () => {
  ({ deliveryId, receiptId } = await sellOnce());
});

afterEach(() => {
  vi.useRealTimers();
});

/** The stores of another process. */
function otherStores() {
  return createPostgresStores({ database: opened.database, jobs: opened.queue, secretBox });
}

async function readReceipt() {
  const { rows } = await opened.database.pool.query(
    'select *, claimed_until - now() as left, claimed_until from outgoing_emails where id = $1',
    [receiptId],
  );
  return rows[0];
}

async function sellOther() {
  const [sold] = await sell(1);
  if (!sold) throw new Error('One was sold.');
  return sold;
}

/** Simulates that the process with the claim died a while ago. */
function expire() {
  return opened.database.pool.query(`update outgoing_emails set claimed_until = now() - interval '1 second'`);
}

async function claim(stores: Stores = opened.stores): Promise<string> {
  return claimIdOf(await claimEmail(stores, shop.orgId, receiptId, clock.now()));
}

function complete(stores: Stores, claimId: string, outcome: EmailOutcome) {
  return stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, outcome);
}

const at = clock.now();
const SENT: EmailOutcome = { kind: 'sent', at, answer: '250 OK' };
const TRY_AGAIN: EmailOutcome = {
  kind: 'try-again',
  at,
  answer: '451',
  reason: 'Later.',
  nextTryAt: new Date(at.getTime() + 1000),
};

describe('the claim of a receipt', () => {
  it('expires within 20 seconds, by the clock of the database', async () => {
    await claimEmail(opened.stores, shop.orgId, receiptId, clock.now());
    const { rows } = await opened.database.pool.query(
      'select extract(epoch from claimed_until - now())::float as seconds from outgoing_emails',
    );
    expect(rows[0].seconds).toBeGreaterThan(13);
    expect(rows[0].seconds).toBeLessThanOrEqual(15);
  });

  it('tells other processes when to ask again', async () => {
    await claimEmail(opened.stores, shop.orgId, receiptId, clock.now());
    const answer = await claimEmail(otherStores(), shop.orgId, receiptId, clock.now());
    expect(answer).toEqual({ kind: 'not-now', at: (await readReceipt()).claimed_until });
  });

  it('is renewed while it is held, and no more once it is completed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const claimId = await claim();
    for (let turn = 0; turn < 3; turn += 1) {
      const { claimed_until: before } = await readReceipt();
      vi.advanceTimersByTime(5000);
      await vi.waitFor(async () => {
        expect((await readReceipt()).claimed_until.getTime()).toBeGreaterThan(before.getTime());
      }, WAIT_TIMEOUT_MS);
    }
    await complete(opened.stores, claimId, TRY_AGAIN);
    expect(vi.getTimerCount()).toBe(0);
    expect(await readReceipt()).toMatchObject({ claim_id: null, claimed_until: null, attempts: 1 });
  });

  it('is renewed although the row of another claim is locked, which is neither renewed nor lost', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { receiptId: locked } = await sellOther();
    const claimId = await claim();
    const lockedClaim = claimIdOf(await claimEmail(opened.stores, shop.orgId, locked, clock.now()));
    const holder = await opened.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from outgoing_emails where id = $1 for update', [locked]);
    const { claimed_until: before } = await readReceipt();
    vi.advanceTimersByTime(5000);
    await vi.waitFor(async () => {
      expect((await readReceipt()).claimed_until.getTime()).toBeGreaterThan(before.getTime());
    }, WAIT_TIMEOUT_MS);
    await holder.query('rollback');
    holder.release();
    expect(vi.getTimerCount()).toBe(2);
    expect(await complete(opened.stores, claimId, SENT)).toBe('completed');
    expect(await opened.stores.outgoingEmails.complete(shop.orgId, locked, lockedClaim, SENT)).toBe(
      'completed',
    );
  });

  it('is not renewed once another process has it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await claimEmail(opened.stores, shop.orgId, receiptId, clock.now());
    await opened.database.pool.query(
      `update outgoing_emails set claim_id = gen_random_uuid(), claimed_until = '2100-01-01Z'`,
    );
    vi.advanceTimersByTime(5000);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), WAIT_TIMEOUT_MS);
    expect((await readReceipt()).claimed_until).toEqual(new Date('2100-01-01Z'));
  });

  it('has its own id, even in a process that claims the same receipt again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const former = await claim();
    await expire();
    const latter = await claim();
    expect(await complete(opened.stores, former, SENT)).toBe('not-held');
    expect(vi.getTimerCount()).toBe(1);
    expect((await readReceipt()).claim_id).toBe(latter);
    const { claimed_until: before } = await readReceipt();
    vi.advanceTimersByTime(5000);
    await vi.waitFor(async () => {
      expect((await readReceipt()).claimed_until.getTime()).toBeGreaterThan(before.getTime());
    }, WAIT_TIMEOUT_MS);
    expect(await complete(opened.stores, latter, SENT)).toBe('completed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is given back is no longer renewed, even if the database does not hear of it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const wire = await startTcpProxy(opened.url);
    const database = openDatabase({ url: wire.url, log });
    const stores = createPostgresStores({ database, jobs: opened.queue, secretBox });
    const timersBefore = vi.getTimerCount();
    const claimId = await claim(stores);
    await wire.cut();
    await expect(stores.outgoingEmails.release(shop.orgId, receiptId, claimId)).rejects.toThrow();
    expect(vi.getTimerCount()).toBe(timersBefore);
    await wire.restore();
    await database.close();
    await wire.close();
  });

  it('is free for another process after it expired', async () => {
    await claimEmail(opened.stores, shop.orgId, receiptId, clock.now());
    await expire();
    expect(await claimEmail(otherStores(), shop.orgId, receiptId, clock.now())).toMatchObject({
      kind: 'claimed',
    });
  });

  it('cannot undo the work of another process after it was lost', async () => {
    const former = await claim();
    await expire();
    const other = otherStores();
    const claimId = await claim(other);
    await complete(opened.stores, former, TRY_AGAIN);
    expect((await readReceipt()).claim_id).toBe(claimId);
    await complete(other, claimId, SENT);
    for (const outcome of [TRY_AGAIN, { kind: 'refused', at, answer: '550', reason: 'No.' } as const]) {
      expect(await complete(opened.stores, former, outcome)).toBe('not-held');
    }
    expect(await readReceipt()).toMatchObject({ status: 'sent', attempts: 0 });
    expect(await opened.stores.deliveries.find(shop.orgId, deliveryId)).toMatchObject({ status: 'success' });
    expect((await opened.queuedJobs()).filter(({ startAfter }) => startAfter > at)).toEqual([]);
  });

  it('does not mail twice because the database was away while the mail server accepted it', async () => {
    const wire = await startTcpProxy(opened.url);
    const database = openDatabase({ url: wire.url, log });
    const stores = createPostgresStores({ database, jobs: opened.queue, secretBox });
    const claimId = await claim(stores);
    await wire.cut();
    const completed = complete(stores, claimId, SENT);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await wire.restore();
    await completed;
    expect(await readReceipt()).toMatchObject({ status: 'sent' });
    await database.close();
    await wire.close();
  });
});
