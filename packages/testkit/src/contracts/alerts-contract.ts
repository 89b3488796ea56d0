import {
  ALERT_DELAY_MS,
  alertOfRefusal,
  createUser,
  type PendingAlertMail,
  recordDeliveries,
  setAlertAddress,
} from '@handover/domain';
import { claimIdOf, completeEmail, emailJob, emailOf } from '../complete-emails.ts';
import { makeOrder, makeReceived } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import {
  claimNow,
  completeClaimed,
  completeNow,
  fulfilAgain,
  listEmailJobs,
  makeLines,
  sellByOrder,
  setStatus,
} from './shop-actions.ts';

const MINUTE = 60_000;

/** Which alerts are mailed, and how often. */
export function alertsContract({ describe, it, expect }: StoresRunner): void {
  describe('alerts', () => {
    it('tell of an order of which nothing could be delivered, to the owners, with a mail after a minute', async (opened) => {
      const { shop, clock } = opened;
      const { id, reason } = await fail(opened, '1');
      const failedAt = clock.now();
      const dueAt = new Date(failedAt.getTime() + ALERT_DELAY_MS);
      const [job, ...more] = await listEmailJobs(opened, 'alert');
      expect([job, more]).toEqual([emailJob('alert', shop.orgId, id, dueAt), []]);
      clock.advance(ALERT_DELAY_MS - 1);
      const early = await claimNow(opened, id);
      expect(early).toEqual({ kind: 'not-now', at: dueAt });
      clock.advance(1);
      const organisation = await opened.stores.organisations.find(shop.orgId);
      expect(await claim(opened, id)).toEqual({
        kind: 'alert',
        id,
        orgId: shop.orgId,
        organisationName: 'Lumen Audio',
        to: [organisation?.email],
        alerts: [
          {
            cause: 'not-delivered',
            deliveryId: id,
            platform: 'storefront-a',
            orderNumber: '#1001',
            customerEmail: 'ana@example.com',
            reason,
            at: failedAt,
          },
        ],
        more: 0,
        pendingSince: dueAt,
        attempts: 0,
      });
    });

    it('tell of one order once, however often and at how many places it fails', async (opened) => {
      await Promise.all(Array.from({ length: 10 }, () => fail(opened, '1')));
      expect(await listEmailJobs(opened, 'alert')).toHaveLength(1);
      const [job] = await listEmailJobs(opened, 'alert');
      opened.clock.advance(ALERT_DELAY_MS);
      const mail = await claim(opened, job?.emailId ?? '');
      expect(mail?.alerts).toHaveLength(1);
    });

    it('tell of no order that is held, or delivered in part or before', async (opened) => {
      await sellByOrder(opened, { orderId: '1', lines: makeLines('PADS', 'unknown') });
      await sellByOrder(opened, { orderId: '1', lines: makeLines('unknown') });
      await setStatus(opened, 'draft');
      await sellByOrder(opened, { orderId: '2', lines: makeLines('PADS', 'unknown') });
      expect(await listEmailJobs(opened, 'alert')).toEqual([]);
    });

    it('tell of a genuine request that cannot be read', async (opened) => {
      const { shop, clock } = opened;
      const recorded = await recordDeliveries(
        opened,
        makeReceived(shop, clock.now(), { kind: 'unreadable', problem: 'It is not JSON.' }),
        'in-request',
      );
      const [entry] = recorded.kind === 'recorded' ? recorded.deliveries : [];
      clock.advance(ALERT_DELAY_MS);
      const mail = await claim(opened, entry?.id ?? '');
      expect(mail?.alerts).toMatchObject([
        { cause: 'unreadable', deliveryId: entry?.id, orderNumber: null, reason: 'It is not JSON.' },
      ]);
      expect(await listEmailJobs(opened, 'alert')).toHaveLength(1);
    });

    it('tell of an order that nothing can be made of, once, however often it comes', async (opened) => {
      const { shop, clock } = opened;
      const reason = 'The order came without its lines.';
      const received = makeReceived(shop, clock.now(), {
        kind: 'translated',
        entries: [
          { kind: 'error', orderId: '5001', reason },
          { kind: 'error', orderId: null, reason: 'It names no order.' },
        ],
      });
      const first = await recordDeliveries(opened, received, 'in-request');
      await recordDeliveries(opened, received, 'in-request');
      const [entry] = first.kind === 'recorded' ? first.deliveries : [];
      clock.advance(ALERT_DELAY_MS);
      const mail = await claim(opened, entry?.id ?? '');
      expect(mail?.alerts).toMatchObject([
        { cause: 'unreadable', deliveryId: entry?.id, orderNumber: '5001', reason },
        { cause: 'unreadable', orderNumber: null, reason: 'It names no order.' },
      ]);
      expect(await listEmailJobs(opened, 'alert')).toHaveLength(1);
    });

    it('tell of a receipt that was refused, once, though it is sent and refused again', async (opened) => {
      const { stores, shop, clock } = opened;
      const { deliveryId: id, receiptId } = await sellByOrder(opened);
      const refuse = async () => {
        const outcome = { kind: 'refused', at: clock.now(), answer: '550', reason: 'No such box.' } as const;
        await completeEmail(stores, shop.orgId, receiptId, clock.now(), outcome);
      };
      await refuse();
      const details = {
        deliveryId: id,
        platform: 'storefront-a',
        orderNumber: '#1001',
        customerEmail: 'ana@example.com',
        reason: 'No such box.',
        at: clock.now(),
      } as const;
      const facts = { orgId: shop.orgId, id: receiptId, connectionId: shop.connection.id, orderId: '5001' };
      const expected = alertOfRefusal(facts, details);
      clock.advance(ALERT_DELAY_MS);
      const [job] = await listEmailJobs(opened, 'alert');
      const mailId = job?.emailId ?? '';
      // The mail needs another id than its alert's subject, because a receipt is an e-mail itself.
      expect(mailId === receiptId).toBe(false);
      const claimed = await claimNow(opened, mailId);
      expect(claimed).toMatchObject({ email: { alerts: [{ cause: expected.cause, ...details }] } });
      await completeClaimed(opened, mailId, claimIdOf(claimed), 'sent');
      const { delivery } = await fulfilAgain(opened, makeOrder(shop), id);
      expect(delivery.status).toBe('pending');
      await refuse();
      expect(await listEmailJobs(opened, 'alert')).toHaveLength(1);
    });

    it('that come while the last mail is fresh are collected, and go in one when the quarter of an hour is over', async (opened) => {
      const { clock } = opened;
      const first = await fail(opened, '1');
      await send(opened, first.id);
      const end = new Date(clock.now().getTime() + 15 * MINUTE);
      const second = await fail(opened, '2');
      for (let order = 3; order < 28; order += 1) {
        clock.advance(1);
        await fail(opened, `${order}`);
      }
      const early = await claimNow(opened, second.id);
      expect(early).toEqual({ kind: 'not-now', at: end });
      clock.advance(15 * MINUTE);
      const mail = await claim(opened, second.id);
      expect([mail?.alerts.length, mail?.more, mail?.alerts[0]?.deliveryId]).toEqual([20, 6, second.id]);
      const jobs = await listEmailJobs(opened, 'alert');
      expect(jobs.map(({ emailId }) => emailId)).toEqual([first.id, second.id]);
    });

    it('wait while a mail is pending, and what that one says does not change', async (opened) => {
      const { stores, shop, clock } = opened;
      const first = await fail(opened, '1');
      clock.advance(ALERT_DELAY_MS);
      const at = clock.now();
      const nextTryAt = new Date(at.getTime() + 60 * MINUTE);
      const outcome = { kind: 'try-again', at, answer: '451', reason: 'Not yet.', nextTryAt } as const;
      // A worker removes the job of the e-mail that it claimed.
      await opened.dropJobs(await opened.queuedJobs());
      await completeEmail(stores, shop.orgId, first.id, at, outcome);
      const second = await fail(opened, '2');
      clock.advance(20 * MINUTE);
      const waiting = { kind: 'not-now', at: nextTryAt };
      expect(await claimNow(opened, second.id)).toEqual(waiting);
      expect(await claimNow(opened, first.id)).toEqual(waiting);
      clock.advance(40 * MINUTE);
      expect(await claim(opened, first.id)).toMatchObject({ attempts: 1, pendingSince: at, alerts: [{}] });
      const jobs = await listEmailJobs(opened, 'alert');
      expect(jobs.filter(({ startAfter }) => startAfter.getTime() === nextTryAt.getTime())).toHaveLength(1);
    });

    it('go to the owners in the order of their addresses, whatever their capitals', async (opened) => {
      const { orgId } = opened.shop;
      for (const email of ['Zoe@example.com', 'Pia@example.com', 'ada@example.com', 'quinn@example.com'])
        await createUser(opened, { email, name: null, membership: { orgId, role: 'owner' } });
      const { id } = await fail(opened, '1');
      opened.clock.advance(ALERT_DELAY_MS);
      const to = (await claim(opened, id))?.to.filter((email) => !email.startsWith('owner-'));
      expect(to).toEqual(['ada@example.com', 'Pia@example.com', 'quinn@example.com', 'Zoe@example.com']);
    });

    it('go to the address that was set for them, or to the owners again', async (opened) => {
      const { organisations } = opened.stores;
      const { orgId } = opened.shop;
      expect(await setAlertAddress(opened, orgId, ' ops@example.com ')).toEqual({
        kind: 'set',
        isChanged: true,
      });
      expect(await setAlertAddress(opened, orgId, 'ops@example.com')).toEqual({
        kind: 'set',
        isChanged: false,
      });
      expect((await organisations.find(orgId))?.alertEmail).toBe('ops@example.com');
      const { id } = await fail(opened, '1');
      opened.clock.advance(ALERT_DELAY_MS);
      expect((await claim(opened, id))?.to).toEqual(['ops@example.com']);
      expect(await setAlertAddress(opened, orgId, null)).toEqual({ kind: 'set', isChanged: true });
      expect(await setAlertAddress(opened, orgId, null)).toEqual({ kind: 'set', isChanged: false });
      expect((await organisations.find(orgId))?.alertEmail).toBe(null);
      expect(await setAlertAddress(opened, orgId, 'nobody')).toMatchObject({ kind: 'invalid' });
      const unknown = { kind: 'unknown-organisation' };
      expect(await setAlertAddress(opened, 'nonsense', null)).toEqual(unknown);
    });
  });
}

async function claim(opened: OpenedShop, mailId: string): Promise<PendingAlertMail | null> {
  return emailOf(await claimNow(opened, mailId), 'alert');
}

/** Sends the mail after its minute is over. */
async function send(opened: OpenedShop, mailId: string): Promise<void> {
  opened.clock.advance(ALERT_DELAY_MS);
  await completeNow(opened, mailId, 'sent');
}

async function fail(opened: OpenedShop, orderId: string) {
  return (await sellByOrder(opened, { orderId, lines: makeLines('unknown') })).plan.delivery;
}
