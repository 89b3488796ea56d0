import { hourOf } from '@handover/domain';
import { claimEmail, claimIdOf, completeEmail, emailJob } from '../complete-emails.ts';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { openInviter } from './invite.ts';
import { claimNow, searchPurchases, sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** The limit of an organisation's mails per hour, and what happens to the other mails. */
export function mailLimitContract({ describe, it, expect }: StoresRunner): void {
  describe('the count of mails', () => {
    it('never exceeds its maximum, however many are counted at once', async ({ stores, shop, clock }) => {
      const { startsAt } = hourOf(clock.now());
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => stores.mailCounts.take(shop.orgId, startsAt, 7)),
      );
      expect(taken.filter(Boolean)).toHaveLength(7);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 8)).toBe(true);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 8)).toBe(false);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, null)).toBe(true);
    });

    it('is of one organisation and one hour', async (opened) => {
      const { stores, shop, clock } = opened;
      const { startsAt, endsAt } = hourOf(clock.now());
      const other = await openShop(opened, 'Other');
      for (const [orgId, hour] of [
        [shop.orgId, startsAt],
        [other.orgId, startsAt],
        [shop.orgId, endsAt],
      ] as const) {
        expect(await stores.mailCounts.take(orgId, hour, 1)).toBe(true);
        expect(await stores.mailCounts.take(orgId, hour, 1)).toBe(false);
      }
    });

    it('takes back mails that were not sent, and no more', async ({ stores, shop, clock }) => {
      const { startsAt } = hourOf(clock.now());
      await stores.mailCounts.take(shop.orgId, startsAt, 1);
      await stores.mailCounts.giveBack(shop.orgId, startsAt);
      await stores.mailCounts.giveBack(shop.orgId, startsAt);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 1)).toBe(true);
      expect(await stores.mailCounts.take(shop.orgId, startsAt, 1)).toBe(false);
    });
  });

  describe('a mail that is postponed', () => {
    it('as a receipt leaves the entry pending with the reason, counts no try, and is seen on the overview', async (opened) => {
      const { stores, shop, clock } = opened;
      const { receiptId, deliveryId } = await sellByOrder(opened);
      const createdAt = clock.now();
      const claimId = claimIdOf(await claimNow(opened, receiptId));
      clock.advance(1000);
      const postponed = postpone(clock.now());
      // A worker removes the job of the e-mail that it claimed.
      await opened.dropJobs(await opened.queuedJobs());
      await stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, postponed);
      const reason = postponed.reason;
      expect(await stores.deliveries.find(shop.orgId, deliveryId)).toMatchObject({
        status: 'pending',
        reason,
      });
      const until = postponed.nextTryAt;
      expect((await stores.actionItems.read(shop.orgId, clock.now())).postponed).toEqual({
        count: 1,
        at: createdAt,
        until,
      });
      const [purchase] = await searchPurchases(opened);
      expect((await stores.purchases.show(shop.orgId, purchase?.id ?? ''))?.receipt).toMatchObject({
        postponed: true,
        attempts: 0,
        lastAnswer: null,
      });
      expect(await claimNow(opened, receiptId)).toEqual({
        kind: 'not-now',
        at: until,
      });
      expect((await opened.queuedJobs()).at(-1)).toEqual(emailJob('receipt', shop.orgId, receiptId, until));
      const again = await claimEmail(stores, shop.orgId, receiptId, until);
      expect(again).toMatchObject({
        kind: 'claimed',
        email: { attempts: 0, pendingSince: until },
      });
      const sent = { kind: 'sent', at: until, answer: '250 OK' } as const;
      await stores.outgoingEmails.complete(shop.orgId, receiptId, claimIdOf(again), sent);
      expect((await stores.actionItems.read(shop.orgId, until)).postponed).toBe(null);
      expect(await stores.deliveries.find(shop.orgId, deliveryId)).toMatchObject({ status: 'success' });
    });

    it('as a receipt is postponed again without a claim, together with the others that are due', async (opened) => {
      const { stores, shop, clock } = opened;
      const sold = await sellMany(opened, 4);
      const first = postpone(clock.now());
      await opened.dropJobs(await opened.queuedJobs());
      for (const { receiptId } of sold.slice(0, 3)) {
        const claimId = claimIdOf(await claimNow(opened, receiptId));
        await stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, first);
      }
      const until = new Date(first.nextTryAt.getTime() + HOUR);
      const answer = 'The limit is reached again.';
      const postponeAgain = (max: number) =>
        stores.waitingReceipts.postpone(shop.orgId, clock.now(), { kind: 'postponed', until, answer }, max);

      expect(await postponeAgain(9)).toBe(0);
      clock.advance(HOUR);
      const [claimed] = sold;
      const claim = await claimNow(opened, claimed?.receiptId ?? '');
      expect([await postponeAgain(1), await postponeAgain(9), await postponeAgain(9)]).toEqual([1, 1, 0]);

      for (const { receiptId, deliveryId } of sold.slice(1, 3)) {
        expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-now', at: until });
        expect(await stores.deliveries.find(shop.orgId, deliveryId)).toMatchObject({
          status: 'pending',
          reason: answer,
        });
        expect(await claimEmail(stores, shop.orgId, receiptId, until)).toMatchObject({
          kind: 'claimed',
          email: { attempts: 0, pendingSince: until },
        });
      }
      const jobs = (await opened.queuedJobs()).filter(({ startAfter }) => startAfter >= until);
      expect(jobs).toHaveLength(2);
      // The claimed one, and one that was never postponed, stay as they are.
      expect(claim).toMatchObject({ email: { pendingSince: first.nextTryAt } });
      expect(await claimNow(opened, sold[3]?.receiptId ?? '')).toMatchObject({ kind: 'claimed' });
    });

    it('as an invitation counts no try, and shows why it waits', async (opened) => {
      const inviter = await openInviter(opened);
      const id = await inviter.invited('jo@example.com');
      const { invitations } = inviter;
      const now = inviter.clock.now();
      const postponed = postpone(now);
      const { answer, nextTryAt } = postponed;
      await completeEmail(inviter, inviter.orgId, id, now, postponed);
      expect((await invitations.list(inviter.orgId))[0]?.mail).toEqual({ status: 'pending', answer });
      expect(await claimEmail(inviter, inviter.orgId, id, now)).toEqual({
        kind: 'not-now',
        at: nextTryAt,
      });
      expect(await claimEmail(inviter, inviter.orgId, id, nextTryAt)).toMatchObject({
        email: { attempts: 0, pendingSince: nextTryAt },
      });
    });
  });
}

async function sellMany(opened: OpenedShop, count: number) {
  const sold = [];
  for (let number = 1; number <= count; number += 1) {
    sold.push(await sellByOrder(opened, { orderId: `many-${number}`, orderNumber: `#${number}` }));
  }
  return sold;
}

function postpone(at: Date) {
  const nextTryAt = new Date(at.getTime() + HOUR);
  return {
    kind: 'postponed',
    at,
    answer: 'The limit is reached.',
    reason: 'The limit is reached.',
    nextTryAt,
  } as const;
}
