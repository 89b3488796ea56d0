import {
  ALERT_DELAY_MS,
  ALERT_LIFETIME_MS,
  type Alert,
  alertOfRejection,
  deliverRejected,
  fulfilOrder,
  type Order,
  type RejectedDelivery,
  recordDeliveries,
} from '@handover/domain';
import { claimEmail, emailOf, sendsEmail } from '../complete-emails.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, openShop, recordOrder } from '../samples.ts';
import { type CreateStores, type OpenedShop, openFreshShop } from './harness.ts';

/** Between two mails. */
const PAUSE_MS = 15 * ALERT_DELAY_MS;
/** How much of a key's time is left when the pause after its mail is over. */
const REST_MS = ALERT_LIFETIME_MS - PAUSE_MS;

/** How long people are not told again of what they were told of. */
export function alertKeysContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  const open = async () => {
    const opened = await openFreshShop(createStores);
    return { ...opened, ...helpers(opened) };
  };

  describe('an alert that was mailed', () => {
    it('is not raised again within a day of its mail, and is after that', async () => {
      const { fail, mail, clock, countMails } = await open();
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

    it('is not raised again while its mail is pending, however long that takes', async () => {
      const { fail, mail, clock, countMails } = await open();
      await fail();
      await mail('try-again');
      const pending = await countMails();
      clock.advance(2 * ALERT_LIFETIME_MS);
      await fail();
      expect(await countMails()).toBe(pending);
    });

    it('is raised once by many who find its key ended at once', async () => {
      const { fail, mail, clock, countMails } = await open();
      await fail();
      await mail();
      clock.advance(ALERT_LIFETIME_MS);
      await Promise.all(Array.from({ length: 8 }, fail));
      expect(await countMails()).toBe(1);
      expect(await mail()).toHaveLength(1);
      expect(await countMails()).toBe(0);
    });
  });

  describe('a delivery in which no order can be read', () => {
    it('is mailed once for all of its connection, for a day', async () => {
      const { receiveUnreadable, mail, clock, countMails } = await open();
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

    it('is mailed for another organisation all the same', async () => {
      const opened = await open();
      await opened.receiveUnreadable();
      await opened.mail();
      const other = helpers({ ...opened, shop: await openShop(opened, 'Other') });
      const first = await other.receiveUnreadable();
      expect(await other.mail()).toEqual([first]);
    });

    it('is mailed again once those before it were dismissed', async () => {
      const { receiveUnreadable, dismiss, mail, clock, countMails } = await open();
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

    it('is mailed again once an order was found in each before it', async () => {
      const { receiveUnreadable, findOrder, mail, countMails } = await open();
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

    it('is named by the mail in the place of one in which an order was found by then', async () => {
      const { receiveUnreadable, findOrder, mail } = await open();
      const first = await receiveUnreadable();
      const second = await receiveUnreadable();
      await findOrder(first);
      expect(await mail()).toEqual([second]);
    });

    it('is not mailed when an order was found in it within the minute', async () => {
      const { receiveUnreadable, findOrder, mail } = await open();
      await findOrder(await receiveUnreadable());
      expect(await mail()).toEqual([]);
    });
  });

  describe('a rejected request that is genuine', () => {
    it('is mailed once for all of its platform, for a day', async () => {
      const { reject, mail, clock, countMails } = await open();
      const { alert } = await reject();
      expect(await mail()).toEqual([alert?.details.orderNumber]);
      await reject();
      expect(await countMails()).toBe(0);
      clock.advance(ALERT_LIFETIME_MS);
      await reject();
      expect(await mail()).toHaveLength(1);
    });

    it('is not mailed when it was delivered within the minute, and those after it are', async () => {
      const { reject, deliver, mail } = await open();
      await reject();
      expect(await deliver()).toBe(1);
      expect(await mail()).toEqual([]);
      await reject();
      expect(await mail()).toHaveLength(1);
      await deliver();
      await reject();
      expect(await mail()).toHaveLength(1);
    });

    it('is mailed again once those before it were dismissed', async () => {
      const { reject, dismiss, mail, clock, countMails } = await open();
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

    it('stays listed whatever else is received, until its own order is received and accepted', async () => {
      const { reject, receive, summary, clock } = await open();
      const { rejected } = await reject();
      expect(await summary()).toEqual([1, 1]);
      clock.advance(1);
      await receive('another', 'ana@example.com');
      await receive('1', 'somebody.else@example.com');
      expect(await summary()).toEqual([1, 1]);
      await receive(rejected.order?.orderId ?? '', 'ana@example.com');
      expect(await summary()).toEqual([0, 0]);
    });

    it('stays listed when its order was received before it, or failed', async () => {
      const { reject, receive, fail, summary, clock } = await open();
      await receive('1', 'ana@example.com');
      clock.advance(1);
      await reject();
      clock.advance(1);
      await fail();
      expect(await summary()).toEqual([1, 1]);
    });
  });
}

function helpers(opened: OpenedShop) {
  const { stores, shop, clock, ids } = opened;
  const { orgId } = shop;
  const source = { orgId, platform: 'storefront-a', connectionId: shop.connection.id } as const;
  const alertJobs = async () =>
    (await opened.queuedJobs()).filter((job) => job.orgId === orgId && sendsEmail('alert')(job));
  const fulfil = async (order: Order): Promise<string> => {
    const { id } = await recordOrder(opened, order);
    await fulfilOrder({ clock, ids, fulfilment: stores.fulfilment }, order, { id, attempts: 0 });
    return id;
  };
  /** Signed by a secret of the shop, as a store sees it. */
  const rejectedReader = {
    read: ({ bytes, headers, receivedAt }: RejectedDelivery) => ({
      ...source,
      receivedAt,
      bytes,
      headers,
      content: {
        kind: 'translated',
        entries: [{ kind: 'order', order: makeOrder(shop, REJECTED) }],
      } as const,
    }),
  };
  const ports = { clock, ids, ...stores, rejectedReader };
  return {
    fail: () => fulfil(makeOrder(shop, { orderId: '1', lines: [makeLine('unknown')] })),
    receive: (orderId: string, email: string) =>
      fulfil(makeOrder(shop, { orderId, customer: { email, name: 'Ana' } })),
    receiveUnreadable: async (): Promise<string> => {
      const received = {
        ...source,
        receivedAt: clock.now(),
        bytes: new Uint8Array([123]),
        headers: {},
        content: { kind: 'unreadable', problem: 'It is no JSON.' },
      } as const;
      const recorded = await recordDeliveries({ clock, ids, ...stores }, received, 'in-request');
      return recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
    },
    /** As delivering it again does, by a program that can read it. */
    findOrder: (id: string) =>
      fulfilOrder({ clock, ids, fulfilment: stores.fulfilment }, makeOrder(shop, { orderId: id }), {
        id,
        attempts: 0,
      }),
    reject: async (): Promise<{ readonly rejected: RejectedDelivery; readonly alert: Alert | null }> => {
      const reason = 'It fits no secret.';
      const rejected = {
        id: ids.next(),
        orgId,
        platform: 'storefront-a',
        receivedAt: clock.now(),
        source: 'a network',
        reason,
        bytes: new Uint8Array([123, 125]),
        headers: {},
        secretFingerprint: null,
        order: { orderId: REJECTED.orderId, normalizedEmail: 'ana@example.com' },
      };
      const alert = await alertOfRejection(ports, rejected);
      const facts = { orgId, platform: 'storefront-a', count: 1, at: clock.now(), reason };
      await stores.rejected.record({ ...facts, kept: rejected, alert });
      return { rejected, alert };
    },
    deliver: () => deliverRejected(ports, orgId, 'storefront-a'),
    /** How many are counted, and how many listed. */
    summary: async (): Promise<readonly number[]> => {
      const [row] = await stores.rejected.summary(orgId);
      return [row?.kept ?? 0, (await stores.rejected.list(orgId, 'storefront-a', new Date(0))).length];
    },
    dismiss: (subject: string, seenAt: Date) =>
      stores.dismissals.dismiss(orgId, [
        {
          subject,
          seenAt,
          seenCount: 1,
          reason: 'A test.',
          by: 'jana@example.com',
          at: clock.now(),
        },
      ]),
    countMails: async () => (await alertJobs()).length,
    /** Sends what collects: the deliveries that it names, or their orders. */
    mail: async (answer: 'sent' | 'try-again' = 'sent'): Promise<readonly (string | null)[]> => {
      clock.advance(ALERT_DELAY_MS);
      const jobs = await alertJobs();
      await opened.dropJobs(jobs);
      const [job] = jobs;
      const mailId = job?.kind === 'send-email' ? job.emailId : '';
      const at = clock.now();
      const claim = await claimEmail(stores, orgId, mailId, at);
      const told = emailOf(claim, 'alert')?.alerts ?? [];
      if (claim.kind !== 'claimed') return [];
      const outcome =
        answer === 'sent'
          ? ({ kind: 'sent', at, answer: '250' } as const)
          : ({ kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt: at } as const);
      await stores.outgoingEmails.complete(orgId, mailId, claim.claimId, outcome);
      clock.advance(PAUSE_MS);
      return told.map(({ deliveryId, orderNumber }) => deliveryId ?? orderNumber);
    },
  };
}

const REJECTED = { orderId: '1', orderNumber: '#1252' };
