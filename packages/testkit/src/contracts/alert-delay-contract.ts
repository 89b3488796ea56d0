import {
  ALERT_DELAY_MS,
  ALERT_WINDOW_MS,
  type EmailClaim,
  mapSku,
  type Order,
  resendReceipt,
  unmapSku,
} from '@handover/domain';
import { claimEmail, claimIdOf, emailOf } from '../complete-emails.ts';
import { prepare } from '../runner.ts';
import { BY_JANA, makeLine, makeOrder } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import {
  claimNow,
  completeNow,
  fulfil,
  fulfilAgain,
  listEmailJobs,
  sell,
  setStatus,
} from './shop-actions.ts';

/** Alerts about problems that are solved within a minute are not mailed. */
export function alertDelayContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, async (opened) => {
    return { ...opened, ...helpers(opened) };
  });

  describe('an alert that collects', () => {
    it('is dropped when another line of its order is delivered within the minute', async (opened) => {
      const { fail, deliver, clock, claim, mailJobs, stores, shop } = opened;
      const first = await fail('1');
      clock.advance(20_000);
      await deliver('1', 'PADS');
      clock.advance(ALERT_DELAY_MS);
      expect(await claim(first)).toEqual({ kind: 'not-pending' });
      expect(await mailJobs()).toHaveLength(1);
      const second = await fail('2');
      const failedAt = clock.now();
      const dueAt = new Date(failedAt.getTime() + ALERT_DELAY_MS);
      expect(await claimEmail(stores, shop.orgId, second, failedAt)).toEqual({
        kind: 'not-now',
        at: dueAt,
      });
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(second))).toEqual([second]);
    });

    it('stays due since its mail was closed, however late that is claimed again', async (opened) => {
      const { fail, clock, stores, shop } = opened;
      const first = await fail('1');
      const { outgoingEmails } = stores;
      clock.advance(ALERT_DELAY_MS);
      const closedAt = clock.now();
      const claimAndRelease = async (at: Date) =>
        outgoingEmails.release(shop.orgId, first, claimIdOf(await claimEmail(opened, shop.orgId, first, at)));
      await claimAndRelease(closedAt);
      clock.advance(20_000);
      await claimAndRelease(clock.now());
      expect((await claimEmail(opened, shop.orgId, first, closedAt)).kind).toBe('claimed');
    });

    it('is dropped while another line of its order is held, and raised again if that one fails too', async (opened) => {
      const { fail, deliver, setStatus, redeliver, clock, claim } = opened;
      const first = await fail('1');
      await setStatus('draft');
      const held = await deliver('1', 'PADS');
      clock.advance(ALERT_DELAY_MS);
      expect(await claim(first)).toEqual({ kind: 'not-pending' });
      await redeliver(held, '1', 'gone');
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(held))).toEqual([first]);
    });

    it('is dropped when its SKU is mapped or known not to be ours within the minute', async (opened) => {
      const { fail, map, clock, claim } = opened;
      const first = await fail('1', 'mapped');
      await fail('2', 'foreign');
      const third = await fail('3', 'unknown');
      await map('mapped', 'own');
      await map('foreign', null);
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(first))).toEqual([third]);
    });

    it('names the entry that fails still, with the reason that it has by now', async (opened) => {
      const { fail, redeliver, map, clock, claim } = opened;
      const first = await fail('1', 'foreign');
      const second = await fail('1', 'unknown');
      await map('foreign', null);
      await redeliver(first, '1', 'foreign');
      clock.advance(ALERT_DELAY_MS);
      const claimed = await claim(first);
      expect(toldOf(claimed)).toEqual([second]);
      const reason = emailOf(claimed, 'alert')?.alerts[0]?.reason;
      expect(reason?.includes('SKU unknown.')).toBe(true);
    });

    it('goes into the next mail, which has a job, if it is too young for this one', async (opened) => {
      const { fail, clock, claim, mailJobs, stores, shop } = opened;
      const first = await fail('1');
      clock.advance(ALERT_DELAY_MS - 1);
      const second = await fail('2');
      clock.advance(1);
      const claimed = await claim(first);
      expect(toldOf(claimed)).toEqual([first]);
      const [, job, ...more] = await mailJobs();
      expect(more).toEqual([]);
      const sentAt = clock.now();
      const sent = { kind: 'sent', at: sentAt, answer: '250' } as const;
      await stores.outgoingEmails.complete(shop.orgId, first, claimIdOf(claimed), sent);
      const next = job?.emailId ?? '';
      expect(next === first).toBe(false);
      clock.advance(ALERT_DELAY_MS);
      const end = new Date(sentAt.getTime() + ALERT_WINDOW_MS);
      expect(await claim(next)).toEqual({ kind: 'not-now', at: end });
      clock.advance(ALERT_WINDOW_MS);
      expect(toldOf(await claim(next))).toEqual([second]);
    });

    it('makes its mail wait when the older ones are dropped', async ({ fail, deliver, clock, claim }) => {
      const first = await fail('1');
      clock.advance(ALERT_DELAY_MS - 1);
      const second = await fail('2');
      const dueAt = new Date(clock.now().getTime() + ALERT_DELAY_MS);
      await deliver('1', 'PADS');
      clock.advance(1);
      expect(await claim(first)).toEqual({ kind: 'not-now', at: dueAt });
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(first))).toEqual([second]);
    });

    it('that was dropped from a mail that went is raised again when it fails again, and then told once', async (opened) => {
      const { fail, redeliver, map, unmap, clock, claim, mailJobs, stores, shop } = opened;
      const first = await fail('1', 'later');
      const second = await fail('2');
      await map('later', 'own');
      clock.advance(ALERT_DELAY_MS);
      const claimed = await claim(first);
      expect(toldOf(claimed)).toEqual([second]);
      const sent = { kind: 'sent', at: clock.now(), answer: '250' } as const;
      await stores.outgoingEmails.complete(shop.orgId, first, claimIdOf(claimed), sent);
      await unmap('later');
      await redeliver(first, '1', 'later');
      const [, job, ...more] = await mailJobs();
      expect(more).toEqual([]);
      clock.advance(ALERT_WINDOW_MS);
      expect(toldOf(await claim(job?.emailId ?? ''))).toEqual([first]);
      await redeliver(first, '1', 'later');
      expect(await mailJobs()).toHaveLength(2);
    });

    it('does not change the text of a closed mail', async ({ fail, deliver, clock, claim, stores, shop }) => {
      const first = await fail('1');
      clock.advance(ALERT_DELAY_MS);
      const claimed = await claim(first);
      const at = clock.now();
      const outcome = { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt: at } as const;
      await stores.outgoingEmails.complete(shop.orgId, first, claimIdOf(claimed), outcome);
      await deliver('1', 'PADS');
      const again = await claim(first);
      expect(emailOf(again, 'alert')?.alerts).toEqual(emailOf(claimed, 'alert')?.alerts);
    });

    it('of a refused receipt is dropped once it is asked for again, and told if that is refused too', async (opened) => {
      const { deliver, clock, claim, refuse, resend } = opened;
      await deliver('1', 'PADS');
      const former = await refuse();
      await resend();
      clock.advance(ALERT_DELAY_MS);
      expect(await claim(former)).toEqual({ kind: 'not-pending' });
      const latter = await refuse();
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(latter))).toHaveLength(1);
    });

    it('of a refused receipt of no order is checked in the same way', async (opened) => {
      const { clock, claim, refuse, resend } = opened;
      await sell(opened, { sendEmail: true });
      const former = await refuse();
      await resend();
      clock.advance(ALERT_DELAY_MS);
      expect(await claim(former)).toEqual({ kind: 'not-pending' });
      const latter = await refuse();
      clock.advance(ALERT_DELAY_MS);
      expect(toldOf(await claim(latter))).toEqual([null]);
    });
  });
}

function toldOf(claim: EmailClaim): readonly (string | null)[] {
  return emailOf(claim, 'alert')?.alerts.map(({ deliveryId }) => deliveryId) ?? [claim.kind];
}

function helpers(opened: OpenedShop) {
  const { purchases, mailings, shop } = opened;
  const { orgId } = shop;
  const order = (orderId: string, sku: string): Order =>
    makeOrder(shop, { orderId, orderNumber: `#${orderId}`, lines: [makeLine(sku)] });
  const deliver = async (orderId: string, sku: string): Promise<string> =>
    (await fulfil(opened, order(orderId, sku))).delivery.id;
  const pendingReceipt = async (): Promise<string> => {
    const jobs = await listEmailJobs(opened, 'receipt');
    await opened.dropJobs(jobs);
    return jobs[0]?.emailId ?? '';
  };
  return {
    deliver,
    fail: (orderId: string, sku = 'nobody-knows') => deliver(orderId, sku),
    redeliver: (entry: string, orderId: string, sku: string) =>
      fulfilAgain(opened, order(orderId, sku), entry),
    claim: (mailId: string) => claimNow(opened, mailId),
    mailJobs: () => listEmailJobs(opened, 'alert'),
    setStatus: (status: 'draft' | 'published') => setStatus(opened, status),
    map: (sku: string, to: 'own' | null) =>
      mapSku(opened, orgId, { sku, platform: null, productId: to && shop.product.id }),
    unmap: (sku: string) => unmapSku(opened, orgId, { sku, platform: null }),
    refuse: async (): Promise<string> => {
      await completeNow(opened, await pendingReceipt(), 'refused');
      // The mail that reports it.
      return (await listEmailJobs(opened, 'alert')).at(-1)?.emailId ?? '';
    },
    resend: async () => {
      const [purchase] = await collect(purchases.list(orgId));
      const purchaseId = purchase?.id ?? '';
      const seen = (await mailings.find(orgId, purchaseId))?.receipt ?? null;
      return resendReceipt(opened, orgId, purchaseId, { by: BY_JANA, seen });
    },
  };
}
