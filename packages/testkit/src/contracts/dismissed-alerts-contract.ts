import { ALERT_DELAY_MS, ALERT_LIFETIME_MS, correctAddress, subjectOfReceipt } from '@handover/domain';
import { completeEmail } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import { BY_JANA, makeLine, makeOrder } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { playAlerts } from './play-alerts.ts';
import { fulfilAgain, sellByOrder } from './shop-actions.ts';

/** The effect of dismissals on alert mails, whether they name a single subject or a whole item of Overview. */
export function dismissedAlertsContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, async (opened) => {
    const { shop, clock, stores } = opened;
    const played = playAlerts(opened);
    return {
      ...opened,
      ...played,
      failWithoutAddress: (orderId = '1') => played.receive(orderId, ''),
      /** Each order has another SKU, so that each has its own alert. */
      failUnmatched: async (orderId: string) =>
        (await sellByOrder(opened, { orderId, lines: [makeLine('unknown')] })).deliveryId,
      failUnnamed: async (orderId: string) =>
        (await sellByOrder(opened, { orderId, lines: [{ ...makeLine('unknown'), candidates: [] }] }))
          .deliveryId,
      refuse: async (receiptId: string) => {
        const outcome = { kind: 'refused', at: clock.now(), answer: '550', reason: 'No such box.' } as const;
        await completeEmail(stores, shop.orgId, receiptId, clock.now(), outcome);
      },
    };
  });

  describe('what Overview lists as one thing and somebody dismissed', () => {
    it('is not mailed, and is once it goes wrong again', async (opened) => {
      const { failWithoutAddress, dismiss, mail, clock } = opened;
      await failWithoutAddress();
      await dismiss('failed', clock.now());
      expect(await mail()).toEqual([]);
      clock.advance(1);
      const again = await failWithoutAddress();
      expect(await mail()).toEqual([again]);
    });

    it('is mailed for what came after it was seen', async ({ failWithoutAddress, dismiss, mail, clock }) => {
      await failWithoutAddress('1');
      const seenAt = clock.now();
      clock.advance(1);
      const unseen = await failWithoutAddress('2');
      await dismiss('failed', seenAt);
      expect(await mail()).toEqual([unseen]);
    });

    it('is of its own kind alone', async (opened) => {
      const { failWithoutAddress, failUnmatched, receiveUnreadable, dismiss, mail, clock } = opened;
      const failed = await failWithoutAddress('1');
      await failUnmatched('2');
      const unreadable = await receiveUnreadable();
      await dismiss('unmatched', clock.now());
      await dismiss('refused', clock.now());
      expect([...(await mail())].sort()).toEqual([failed, unreadable].sort());
    });

    it('stays out of mails when its orders are decided again, as when another SKU is mapped', async (opened) => {
      const { failUnmatched, dismiss, mail, clock, shop } = opened;
      const id = await failUnmatched('2');
      await dismiss('unmatched', clock.now());
      clock.advance(1);
      await fulfilAgain(opened, makeOrder(shop, { orderId: '2', lines: [makeLine('unknown')] }), id);
      expect(await mail()).toEqual([]);
    });

    it('is as Overview groups it: a line without a SKU is an order that failed', async (opened) => {
      const { failUnnamed, dismiss, mail, clock } = opened;
      const failed = await failUnnamed('2');
      await dismiss('unmatched', clock.now());
      expect(await mail()).toEqual([failed]);
      await failUnnamed('3');
      await dismiss('failed', clock.now());
      expect(await mail()).toEqual([]);
    });

    it('may be deliveries in which no order can be read', async (opened) => {
      const { receiveUnreadable, dismiss, mail, clock } = opened;
      await receiveUnreadable();
      await receiveUnreadable();
      await dismiss('unreadable', clock.now());
      expect(await mail()).toEqual([]);
    });

    it('may be refused receipts', async (opened) => {
      const { dismiss, mail, clock, refuse } = opened;
      const { receiptId } = await sellByOrder(opened);
      await refuse(receiptId);
      await dismiss('refused', clock.now());
      expect(await mail()).toEqual([]);
    });

    it('may be rejected requests of a platform', async ({ reject, dismiss, mail, clock }) => {
      await reject();
      await dismiss('rejecting cart-a', clock.now());
      await dismiss('rejecting storefront-a', clock.now());
      expect(await mail()).toEqual([]);
      clock.advance(1);
      await reject();
      expect(await mail()).toHaveLength(1);
    });
  });

  describe('an alert that was mailed and then dismissed', () => {
    it('is mailed again within the day when its order fails again', async (opened) => {
      const { failWithoutAddress, dismiss, mail, shop, clock, countMails } = opened;
      const first = await failWithoutAddress();
      expect(await mail()).toEqual([first]);
      await failWithoutAddress();
      expect(await countMails()).toBe(0);
      await dismiss(`order ${shop.connection.id} 1`, clock.now());
      clock.advance(1);
      const second = await failWithoutAddress();
      expect(await mail()).toEqual([second]);
      await dismiss('failed', clock.now());
      clock.advance(1);
      const third = await failWithoutAddress();
      expect(await mail()).toEqual([third]);
    });

    it('is not mailed again for a dismissal of something else, or from before it', async (opened) => {
      const { failWithoutAddress, dismiss, mail, shop, clock, countMails } = opened;
      await dismiss('failed', clock.now());
      clock.advance(1);
      await failWithoutAddress();
      await mail();
      await dismiss(`order ${shop.connection.id} 2`, clock.now());
      await dismiss('refused', clock.now());
      await failWithoutAddress();
      expect(await countMails()).toBe(0);
      clock.advance(ALERT_LIFETIME_MS);
      await failWithoutAddress();
      expect(await countMails()).toBe(1);
    });

    it('is mailed again within the day when the receipt is refused again', async (opened) => {
      const { dismiss, mail, clock, refuse, countMails } = opened;
      const { receiptId, deliveryId } = await sellByOrder(opened);
      await refuse(receiptId);
      expect(await mail()).toEqual([deliveryId]);
      await dismiss(subjectOfReceipt(receiptId), clock.now());
      clock.advance(1);
      await fulfilAgain(opened, makeOrder(opened.shop), deliveryId);
      await refuse(receiptId);
      expect(await countMails()).toBe(1);
      expect(await mail()).toEqual([deliveryId]);
    });
  });

  describe('an alert of a refused receipt that was mailed and then dismissed', () => {
    it('is mailed again within the day when the receipt to the corrected address is refused', async (opened) => {
      const { dismiss, mail, clock, refuse, countMails, shop, stores } = opened;
      const { receiptId, purchaseId, deliveryId } = await sellByOrder(opened);
      await refuse(receiptId);
      expect(await mail()).toEqual([deliveryId]);
      await dismiss(subjectOfReceipt(receiptId), clock.now());
      clock.advance(1);
      const asked = { by: BY_JANA, seen: 'ana@example.com' };
      await correctAddress(opened, shop.orgId, purchaseId, 'ana@example.org', asked);
      const corrected = (await stores.mailings.find(shop.orgId, purchaseId))?.receipt?.id ?? '';
      await refuse(corrected);
      expect(await countMails()).toBe(1);
    });
  });

  describe('an alert that was dismissed while it collects, and whose cause comes again', () => {
    it('is mailed once, whatever it is about', async (opened) => {
      const { shop } = opened;
      const ways: Readonly<Record<string, () => Promise<unknown>>> = {
        failed: () => opened.failWithoutAddress('1'),
        [`order ${shop.connection.id} 2`]: () => opened.failWithoutAddress('2'),
        unreadable: opened.receiveUnreadable,
        'rejecting storefront-a': () => opened.reject(),
      };
      for (const [subject, fail] of Object.entries(ways)) {
        await fail();
        await opened.dismiss(subject, opened.clock.now());
        opened.clock.advance(1);
        await fail();
        expect([subject, (await opened.mail()).length]).toEqual([subject, 1]);
        await fail();
        expect([subject, await opened.countMails()]).toEqual([subject, 0]);
      }
    });

    it('is mailed once when it is a refused receipt', async (opened) => {
      const { dismiss, mail, clock, refuse, countMails } = opened;
      const { receiptId, deliveryId } = await sellByOrder(opened);
      const refuseAgain = async () => {
        await fulfilAgain(opened, makeOrder(opened.shop), deliveryId);
        await refuse(receiptId);
      };
      await refuse(receiptId);
      await dismiss(subjectOfReceipt(receiptId), clock.now());
      clock.advance(1);
      await refuseAgain();
      expect(await mail()).toEqual([deliveryId]);
      await refuseAgain();
      expect(await countMails()).toBe(0);
    });

    it('collects from then on, and ends by a later dismissal', async (opened) => {
      const { failWithoutAddress, dismiss, mail, clock, countMails } = opened;
      await failWithoutAddress();
      clock.advance(1);
      await dismiss('failed', clock.now());
      clock.advance(ALERT_DELAY_MS - 1);
      const again = await failWithoutAddress();
      expect(await mail()).toEqual([again]);
      await dismiss('failed', clock.now());
      clock.advance(1);
      await failWithoutAddress();
      expect(await countMails()).toBe(1);
    });
  });
}
