import type { EmailClaim, EmailOutcome, Stores } from '@handover/domain';
import { claimEmail, claimIdOf, emailOf, openShop } from '@handover/testkit';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import type { Schema } from '../src/database/schema.ts';
import { createPostgresStores } from '../src/index.ts';
import { clock, count, ids, opened, openShopAnew, ports, type Sold, sell, shop } from './shop-of-the-test.ts';
import { watchStatements } from './watch-statements.ts';

const secretBox = { seal: (plain: string) => plain, unseal: (sealed: string) => sealed, holds: () => false };
const at = clock.now();
const SENT: EmailOutcome = { kind: 'sent', at, answer: '250 OK' };
const hour = new Date('2026-10-14T23:00:00Z');

openShopAnew(beforeEach);

afterEach(() => {
  vi.useRealTimers();
});

function claimAll(sold: readonly Sold[], { outgoingEmails }: Stores = opened.storesOfOne) {
  return Promise.all(
    sold.map(({ receiptId }) => claimEmail({ outgoingEmails }, shop.orgId, receiptId, clock.now())),
  );
}

function completeAll(sold: readonly Sold[], claims: readonly EmailClaim[], outcome = SENT) {
  const complete = (receiptId: string, claim: EmailClaim | undefined) =>
    opened.storesOfOne.outgoingEmails.complete(
      shop.orgId,
      receiptId,
      claimIdOf(claim ?? { kind: 'none' }),
      outcome,
    );
  return Promise.all(sold.map(({ receiptId }, index) => complete(receiptId, claims[index])));
}

function takeAll(number: number, max: number, { mailCounts }: Stores = opened.storesOfOne) {
  return Promise.all(Array.from({ length: number }, () => mailCounts.take(shop.orgId, hour, max)));
}

/** The number of statements of the work, with `begin` and `commit`. */
async function statementsOf(work: () => Promise<unknown>, which = /./): Promise<number> {
  const { statements } = await watchStatements(opened, work);
  return statements.filter(({ text }) => which.test(text)).length;
}

describe('receipts of one organisation that come at once', () => {
  it('lock their links by id, as a buyer’s renewal of several links does', async () => {
    const sold = await sell(60);
    const { db } = opened.database;
    // Moved behind the others in the table, where a scan may find it last.
    await sql`update download_links set expires_at = expires_at where id = (select min(id::text)::uuid from download_links)`.execute(
      db,
    );
    await sql`analyze download_links`.execute(db);
    const links = await db.selectFrom('download_links').select('id').orderBy('id').execute();
    const [first = '', second = ''] = links.map(({ id }) => id);
    const hold = (trx: Kysely<Schema>, id: string) =>
      sql`select from download_links where id = ${id} for update nowait`.execute(trx);
    const claiming = await db.transaction().execute(async (trx) => {
      await hold(trx, first);
      const claims = claimAll(sold);
      const waits = sql<{ readonly count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `;
      await vi.waitUntil(async () => (await waits.execute(db)).rows[0]?.count === 1, WAIT_TIMEOUT_MS);
      await hold(trx, second);
      return { claims };
    });
    const kinds = new Set((await claiming.claims).map(({ kind }) => kind));
    expect([...kinds]).toEqual(['claimed']);
  });

  it('are claimed, counted and completed by a few statements', async () => {
    const sold = await sell(50);
    await opened.storesOfOne.mailCounts.take(shop.orgId, hour, 100);
    let claims: readonly EmailClaim[] = [];
    const claiming = await statementsOf(async () => {
      claims = await claimAll(sold);
    });
    expect(claiming).toBeLessThanOrEqual(4 + 2);
    expect(await statementsOf(() => takeAll(50, 100))).toBe(1);
    expect(await statementsOf(() => completeAll(sold, claims))).toBeLessThanOrEqual(4 + 2);
    expect(new Set(claims.map(claimIdOf)).size).toBe(50);
    expect(
      await count(
        `outgoing_emails where kind = 'receipt' and status = 'sent' and claim_id is null and last_answer = '250 OK'`,
      ),
    ).toBe(50);
    expect(await count(`deliveries where status = 'success'`)).toBe(50);
    expect(await count('mail_counts where sent = 51')).toBe(1);
  });

  it('each have their own order, links and customer', async () => {
    const sold = await sell(20);
    const claims = await claimAll(sold);
    for (const [index, { receiptId }] of sold.entries()) {
      const claim = claims[index];
      const receipt = emailOf(claim, 'receipt');
      const { rows } = await opened.database.pool.query(
        `select customer.email, array_agg(link.id) as links from outgoing_emails receipt
         join customers customer on customer.id = receipt.customer_id
         join purchases purchase on purchase.receipt_id = receipt.id
         join download_links link on link.purchase_id = purchase.id
         where receipt.id = $1 group by customer.email`,
        [receiptId],
      );
      expect(receipt?.id).toBe(receiptId);
      expect(receipt?.customer.email).toBe(rows[0].email);
      expect(receipt?.items.map(({ linkId }) => linkId).sort()).toEqual(rows[0].links.sort());
    }
  });

  it('are answered one by one, whatever prevents one of them', async () => {
    const [first, held, early, sent, refused, last] = await sell(6);
    const stranger = await openShop(ports(), 'Stranger');
    const [foreign] = await sell(1, stranger);
    if (!first || !held || !early || !sent || !refused || !last || !foreign) throw new Error('Too few.');
    const { pool } = opened.database;
    const nextTryAt = new Date(at.getTime() + 60_000);
    await pool.query(
      `update outgoing_emails set claim_id = gen_random_uuid(), claimed_until = '2100-01-01Z' where id = $1`,
      [held.receiptId],
    );
    await pool.query('update outgoing_emails set next_try_at = $2 where id = $1', [
      early.receiptId,
      nextTryAt,
    ]);
    await pool.query(`update outgoing_emails set status = 'sent' where id = $1`, [sent.receiptId]);
    await pool.query(`update outgoing_emails set status = 'refused' where id = $1`, [refused.receiptId]);
    const unknown = { deliveryId: '', receiptId: ids.next() };
    const claims = await claimAll([first, held, early, sent, refused, foreign, unknown, last, last]);
    expect(claims).toEqual([
      expect.objectContaining({ kind: 'claimed' }),
      { kind: 'not-now', at: new Date('2100-01-01Z') },
      { kind: 'not-now', at: nextTryAt },
      { kind: 'not-pending' },
      { kind: 'not-pending' },
      { kind: 'not-pending' },
      { kind: 'not-pending' },
      expect.objectContaining({ kind: 'claimed' }),
      expect.objectContaining({ kind: 'not-now' }),
    ]);
    expect(await count('outgoing_emails where claim_id is not null')).toBe(3);
  });

  it('are each completed under their own claim, without changes to others', async () => {
    const sold = await sell(4);
    const claims = await claimAll(sold);
    const [, taken] = sold;
    await opened.database.pool.query(
      'update outgoing_emails set claim_id = gen_random_uuid() where id = $1',
      [taken?.receiptId],
    );
    expect(await completeAll(sold, claims)).toEqual(['completed', 'not-held', 'completed', 'completed']);
    expect(
      await count(`outgoing_emails where kind = 'receipt' and status = 'pending' and claim_id is not null`),
    ).toBe(1);
    expect(await count(`deliveries where status = 'pending'`)).toBe(1);
    expect(await completeAll(sold, claims)).toEqual(['not-held', 'not-held', 'not-held', 'not-held']);
  });

  it('go to one of two processes that claim all of them', async () => {
    const sold = await sell(50);
    const other = createPostgresStores({ database: opened.database, jobs: opened.queue, secretBox });
    const both = await Promise.all([claimAll(sold), claimAll([...sold].reverse(), other)]);
    const [mine = [], theirs = []] = [both[0], both[1].toReversed()];
    for (const index of sold.keys()) {
      const kinds = [mine[index]?.kind, theirs[index]?.kind].sort();
      expect(kinds).toEqual(['claimed', 'not-now']);
    }
    expect(await count('outgoing_emails where claim_id is not null')).toBe(50);
  });

  it('are renewed by a few statements', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const claims = await claimAll(await sell(50));
    expect(new Set(claims.map(({ kind }) => kind))).toEqual(new Set(['claimed']));
    await opened.database.pool.query(
      `update outgoing_emails set claimed_until = now() + interval '1 second'`,
    );
    const renewing = await statementsOf(async () => {
      vi.advanceTimersByTime(5000);
      await vi.waitFor(async () => {
        expect(
          await count(
            `outgoing_emails where kind = 'receipt' and claimed_until > now() + interval '10 seconds'`,
          ),
        ).toBe(50);
      }, WAIT_TIMEOUT_MS);
    }, /set claimed_until/);
    // The first claim is a batch of its own, with its own time.
    expect(renewing).toBeLessThanOrEqual(3);
  });

  it('are claimed and counted within a transaction as a part of it', async () => {
    const sold = await sell(3);
    const undone = opened.storesOfOne.inTransaction(async (stores) => {
      const claims = await claimAll(sold, stores);
      expect(claims.map(({ kind }) => kind)).toEqual(['claimed', 'claimed', 'claimed']);
      expect(await takeAll(2, 2, stores)).toEqual([true, true]);
      throw new Error('Undone.');
    });
    await expect(undone).rejects.toThrow('Undone.');
    expect(await count('outgoing_emails where claim_id is not null')).toBe(0);
    expect(await count('mail_counts where sent > 0')).toBe(0);
  });
});

describe('mails that are counted at once', () => {
  it('fit in up to the limit, first come, first served', async () => {
    expect(await takeAll(8, 5)).toEqual([true, true, true, true, true, false, false, false]);
    expect(await takeAll(8, 7)).toEqual([true, true, false, false, false, false, false, false]);
    await Promise.all(
      Array.from({ length: 3 }, () => opened.storesOfOne.mailCounts.giveBack(shop.orgId, hour)),
    );
    expect(await takeAll(5, 7)).toEqual([true, true, true, false, false]);
  });

  it('are no more than the limit in several processes together', async () => {
    const taken = await takeAll(60, 25, opened.stores);
    expect(taken.filter(Boolean)).toHaveLength(25);
    expect(await count('mail_counts where sent = 25')).toBe(1);
  });
});
