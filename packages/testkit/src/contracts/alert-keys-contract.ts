import { ALERT_DELAY_MS, ALERT_LIFETIME_MS } from '@handover/domain';
import { prepare } from '../runner.ts';
import { openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { PAUSE_MS, playAlerts } from './play-alerts.ts';

/** How long a key still lasts when the pause after its mail is over. */
const REST_MS = ALERT_LIFETIME_MS - PAUSE_MS;

/** How long an alert is not raised again after its mail. */
export function alertKeysContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, async (opened) => {
    return { ...opened, ...playAlerts(opened) };
  });

  describe('an alert that was mailed', () => {
    it('is not raised again within a day of its mail, and is after that', async (opened) => {
      const { fail, mail, clock, countMails } = opened;
      const first = await fail();
      expect(await mail()).toEqual([first]);
      clock.advance(REST_MS - 1);
      await fail();
      expect(await countMails()).toBe(0);
      clock.advance(1);
      await fail();
      expect(await mail()).toEqual([first]);
      clock.advance(REST_MS - 1);
      await fail();
      expect(await countMails()).toBe(0);
    });

    it('is not raised again while its mail is pending, however long that takes', async (opened) => {
      const { fail, mail, clock, countMails } = opened;
      await fail();
      await mail('try-again');
      const pending = await countMails();
      clock.advance(2 * ALERT_LIFETIME_MS);
      await fail();
      expect(await countMails()).toBe(pending);
    });

    it('is raised once by many who find its key ended at once', async ({ fail, mail, clock, countMails }) => {
      await fail();
      await mail();
      clock.advance(ALERT_LIFETIME_MS);
      await Promise.all(Array.from({ length: 8 }, fail));
      expect(await countMails()).toBe(1);
      expect(await mail()).toHaveLength(1);
      expect(await countMails()).toBe(0);
    });
  });

  describe('an order of which nothing was delivered', () => {
    it('is not mailed when it was dismissed within the minute, unless it fails again', async (opened) => {
      const { receive, dismiss, mail, clock } = opened;
      const subject = `order ${opened.shop.connection.id} 1`;
      const fail = () => receive('1', '');
      await fail();
      await dismiss(subject, clock.now());
      expect(await mail()).toEqual([]);
      await fail();
      await dismiss(subject, clock.now());
      clock.advance(1);
      const later = await fail();
      expect(await mail()).toEqual([later]);
    });
  });

  describe('an order that was dismissed for one of its entries', () => {
    it('is mailed for another one, whose SKU is unmatched', async (opened) => {
      const { receive, fail, dismiss, mail, shop, clock } = opened;
      await receive('1', '');
      const unmatched = await fail();
      await dismiss(`order ${shop.connection.id} 1`, clock.now());
      expect(await mail()).toEqual([unmatched]);
    });
  });

  describe('a delivery in which no order can be read', () => {
    it('is mailed once for all of its connection, for a day', async (opened) => {
      const { receiveUnreadable, mail, clock, countMails } = opened;
      const first = await receiveUnreadable();
      await receiveUnreadable();
      expect(await mail()).toEqual([first]);
      await receiveUnreadable();
      clock.advance(REST_MS - ALERT_DELAY_MS);
      await receiveUnreadable();
      expect(await countMails()).toBe(0);
      clock.advance(ALERT_DELAY_MS);
      const later = await receiveUnreadable();
      expect(await mail()).toEqual([later]);
    });

    it('is mailed for another organisation all the same', async (opened) => {
      await opened.receiveUnreadable();
      await opened.mail();
      const other = playAlerts({ ...opened, shop: await openShop(opened, 'Other') });
      const first = await other.receiveUnreadable();
      expect(await other.mail()).toEqual([first]);
    });

    it('is mailed again once those before it were dismissed', async (opened) => {
      const { receiveUnreadable, dismiss, mail, clock, countMails } = opened;
      await receiveUnreadable();
      await mail();
      await dismiss('unreadable', new Date(clock.now().getTime() - ALERT_LIFETIME_MS));
      await receiveUnreadable();
      await dismiss('refused', clock.now());
      await receiveUnreadable();
      expect(await countMails()).toBe(0);
      await dismiss('unreadable', clock.now());
      clock.advance(1);
      const next = await receiveUnreadable();
      expect(await mail()).toEqual([next]);
    });

    it('is mailed again once each before it was dismissed alone', async (opened) => {
      const { receiveUnreadable, dismiss, mail, clock, countMails } = opened;
      const first = await receiveUnreadable();
      const second = await receiveUnreadable();
      await mail();
      await dismiss(`delivery ${first}`, clock.now());
      const third = await receiveUnreadable();
      expect(await countMails()).toBe(0);
      for (const id of [second, third]) await dismiss(`delivery ${id}`, clock.now());
      const next = await receiveUnreadable();
      expect(await mail()).toEqual([next]);
    });

    it('is mailed again after that when it comes together with another one', async (opened) => {
      const { receiveUnreadable, receiveTwoUnreadable, dismiss, mail, clock } = opened;
      const first = await receiveUnreadable();
      await mail();
      await dismiss(`delivery ${first}`, clock.now());
      const next = await receiveTwoUnreadable();
      expect(await mail()).toEqual([next]);
    });

    it('is not mailed when it was dismissed within the minute', async (opened) => {
      const { receiveUnreadable, dismiss, mail, clock } = opened;
      await dismiss(`delivery ${await receiveUnreadable()}`, clock.now());
      expect(await mail()).toEqual([]);
    });

    it('is named by the mail in the place of one that was dismissed by then', async (opened) => {
      const { receiveUnreadable, dismiss, mail, clock } = opened;
      await dismiss(`delivery ${await receiveUnreadable()}`, clock.now());
      const second = await receiveUnreadable();
      expect(await mail()).toEqual([second]);
    });

    it('is mailed again once an order was found in each before it', async (opened) => {
      const { receiveUnreadable, findOrder, mail, countMails } = opened;
      const first = await receiveUnreadable();
      const second = await receiveUnreadable();
      await mail();
      await findOrder(first);
      const third = await receiveUnreadable();
      expect(await countMails()).toBe(0);
      await findOrder(second);
      await findOrder(third);
      const next = await receiveUnreadable();
      expect(await mail()).toEqual([next]);
    });

    it('is named by the mail in the place of one in which an order was found by then', async (opened) => {
      const { receiveUnreadable, findOrder, mail } = opened;
      const first = await receiveUnreadable();
      const second = await receiveUnreadable();
      await findOrder(first);
      expect(await mail()).toEqual([second]);
    });

    it('is not mailed when an order was found in it within the minute', async (opened) => {
      const { receiveUnreadable, findOrder, mail } = opened;
      await findOrder(await receiveUnreadable());
      expect(await mail()).toEqual([]);
    });
  });

  describe('a rejected request that is genuine', () => {
    it('is mailed once for all of its platform, for a day', async ({ reject, mail, clock, countMails }) => {
      const { alert } = await reject();
      expect(await mail()).toEqual([alert?.details.orderNumber]);
      await reject();
      expect(await countMails()).toBe(0);
      clock.advance(ALERT_LIFETIME_MS);
      await reject();
      expect(await mail()).toHaveLength(1);
    });

    it('is not mailed when it was delivered within the minute, and those after it are', async (opened) => {
      const { reject, deliver, mail } = opened;
      await reject();
      expect(await deliver()).toBe(1);
      expect(await mail()).toEqual([]);
      await reject();
      expect(await mail()).toHaveLength(1);
      await deliver();
      await reject();
      expect(await mail()).toHaveLength(1);
    });

    it('is mailed again once those before it were dismissed', async (opened) => {
      const { reject, dismiss, mail, clock, countMails } = opened;
      await reject();
      await mail();
      await dismiss('rejecting cart-a', clock.now());
      await reject();
      expect(await countMails()).toBe(0);
      await dismiss('rejecting storefront-a', clock.now());
      clock.advance(1);
      await reject();
      expect(await mail()).toHaveLength(1);
    });

    it('is mailed again although a forged one is left: forged ones open no alert, and keep none alive', async (opened) => {
      const { reject, deliver, mail, summary, clock, countMails } = opened;
      await reject(true);
      expect(await countMails()).toBe(0);
      await reject();
      expect(await mail()).toHaveLength(1);
      await reject(true);
      expect(await deliver()).toBe(3);
      clock.advance(1);
      await reject(true);
      expect(await summary()).toEqual([1, 1]);
      await reject();
      expect(await countMails()).toBe(1);
      expect(await mail()).toHaveLength(1);
    });

    it('is not mailed when only forged ones are left within the minute', async (opened) => {
      const { reject, deliver, mail, clock } = opened;
      await reject();
      expect(await deliver()).toBe(1);
      clock.advance(1);
      await reject(true);
      expect(await mail()).toEqual([]);
    });

    it('stays listed whatever else is received, until its own order is received and accepted', async (opened) => {
      const { reject, receive, summary, clock } = opened;
      const { rejected } = await reject();
      expect(await summary()).toEqual([1, 1]);
      clock.advance(1);
      await receive('another', 'ana@example.com');
      await receive('1', 'somebody.else@example.com');
      expect(await summary()).toEqual([1, 1]);
      await receive(rejected.order?.orderId ?? '', 'ana@example.com');
      expect(await summary()).toEqual([0, 0]);
    });

    it('stays listed when its order was received before it, or failed', async (opened) => {
      const { reject, receive, fail, summary, clock } = opened;
      await receive('1', 'ana@example.com');
      clock.advance(1);
      await reject();
      clock.advance(1);
      await fail();
      expect(await summary()).toEqual([1, 1]);
    });
  });
}
