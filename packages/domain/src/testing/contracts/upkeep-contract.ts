import { INVITATION_LIFETIME_MS } from '../../access/invitation.ts';
import { SIGN_IN_LIFETIME_MS } from '../../access/sign-in.ts';
import { ALERT_PATIENCE_MS } from '../../alerts/when-to-mail.ts';
import { updateProduct } from '../../catalogue/update-product.ts';
import { fulfilOrder } from '../../fulfilment/fulfil-order.ts';
import type { Job } from '../../fulfilment/job.ts';
import { redeliver } from '../../fulfilment/redeliver.ts';
import type { Order } from '../../orders/order.ts';
import { removeOldBodies } from '../../upkeep/remove-old-bodies.ts';
import { rescueLostWork } from '../../upkeep/rescue-lost-work.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, recordOrder } from '../samples.ts';
import { claimIdOf, settleReceipt } from '../settle-mails.ts';
import type { CreateStores, OpenedShop } from './harness.ts';
import { openFreshShop } from './harness.ts';
import { openInviter } from './invite.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Work is overdue so long after its time. */
const OVERDUE_AFTER_MS = 5 * 60 * 1000;
const NOTHING = {
  deliveries: 0,
  receipts: 0,
  alertMails: 0,
  linkMails: 0,
  invitations: 0,
  signInLinks: 0,
  reruns: 0,
};

/** What is put right by itself, and what is kept no longer. */
export function upkeepContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('lost jobs', () => {
    it('of orders, receipts and alerts that are overdue are put back, once', async () => {
      const opened = await openFreshShop(createStores);
      const { shop, clock } = opened;
      const undecided = await recordOrder(opened, makeOrder(shop, { orderId: '1' }));
      await fulfil(opened, makeOrder(shop, { orderId: '2' }));
      await fulfil(opened, makeOrder(shop, { orderId: '3', lines: [makeLine('unknown')] }));
      const jobs = await opened.queuedJobs();
      expect(jobs).toHaveLength(3);
      await opened.dropJobs(jobs);
      clock.advance(OVERDUE_AFTER_MS);
      expect(await rescue(opened)).toEqual(NOTHING);
      clock.advance(1);
      const rescuedAt = clock.now();
      expect(await rescue(opened)).toEqual({ ...NOTHING, deliveries: 1, receipts: 1 });
      clock.advance(ALERT_PATIENCE_MS);
      expect(await rescue(opened)).toEqual({ ...NOTHING, alertMails: 1 });
      const bySubject = (job: Job) => ({ ...job, startAfter: clock.now() });
      const kinds = (rows: readonly Job[]) => rows.map(bySubject).sort((a, b) => (a.kind < b.kind ? -1 : 1));
      expect(kinds(await opened.queuedJobs())).toEqual(kinds(jobs));
      expect(await rescue(opened)).toEqual(NOTHING);
      const [job] = (await opened.queuedJobs()).filter(({ kind }) => kind === 'fulfil-delivery');
      expect(job).toEqual({
        kind: 'fulfil-delivery',
        orgId: shop.orgId,
        deliveryId: undecided.id,
        attempts: 0,
        startAfter: rescuedAt,
      });
    });

    it('of mails with new links and of invitations are put back while they are owed and free', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, clock, ids } = opened;
      await fulfil(opened, makeOrder(opened.shop));
      const mailId = ids.next();
      await stores.linkMails.requestAll({ mailId, email: 'ana@example.com', at: clock.now() });
      const inviter = await openInviter(opened);
      const invitationId = await inviter.invited('jo@example.com');
      await opened.dropJobs(await opened.queuedJobs());
      clock.advance(OVERDUE_AFTER_MS);
      expect(await rescue(opened)).toEqual(NOTHING);
      clock.advance(1);
      const { orgId } = inviter;
      const linkClaim = claimIdOf(await stores.linkMails.claim(mailId, clock.now(), () => ids.next()));
      const claimId = claimIdOf(await stores.invitations.claimMail(orgId, invitationId, clock.now()));
      expect(await rescue(opened)).toEqual({ ...NOTHING, receipts: 1 });
      await stores.linkMails.release(mailId, linkClaim);
      await stores.invitations.releaseMail(orgId, invitationId, claimId);
      expect(await rescue(opened)).toEqual({ ...NOTHING, linkMails: 1, invitations: 1 });
      const startAfter = clock.now();
      const jobs = await opened.queuedJobs();
      expect(jobs.filter(({ kind }) => kind === 'send-link-mail')).toEqual([
        { kind: 'send-link-mail', mailId, startAfter },
      ]);
      expect(jobs.filter(({ kind }) => kind === 'send-invitation')).toEqual([
        { kind: 'send-invitation', orgId, invitationId, startAfter },
      ]);
      expect(await rescue(opened)).toEqual(NOTHING);
      await opened.dropJobs(jobs);
      clock.advance(INVITATION_LIFETIME_MS);
      expect(await rescue(opened)).toEqual({ ...NOTHING, receipts: 1, linkMails: 1 });
    });

    it('of sign-in links are put back while they work and were not mailed', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, clock, ids } = opened;
      const [owner] = await stores.team.list(opened.shop.orgId);
      const add = async (delivery: 'mail' | 'no-mail') => {
        const createdAt = clock.now();
        const expiresAt = new Date(createdAt.getTime() + SIGN_IN_LIFETIME_MS);
        const id = ids.next();
        await stores.signIns.add({ id, email: owner?.email ?? '', createdAt, expiresAt }, delivery);
        return id;
      };
      const [waiting, mailed] = [await add('mail'), await add('mail')];
      await add('no-mail');
      await stores.signIns.endMail(mailed);
      await opened.dropJobs(await opened.queuedJobs());
      clock.advance(OVERDUE_AFTER_MS + 1);
      expect(await rescue(opened)).toEqual({ ...NOTHING, signInLinks: 1 });
      const jobs = await opened.queuedJobs();
      expect(jobs).toEqual([{ kind: 'send-sign-in-link', signInId: waiting, startAfter: clock.now() }]);
      expect(await rescue(opened)).toEqual(NOTHING);
      await opened.dropJobs(jobs);
      clock.advance(SIGN_IN_LIFETIME_MS);
      expect(await rescue(opened)).toEqual(NOTHING);
    });

    it('are none where a job waits, the work is done or being done, or is not yet due', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const { now } = clock;
      await recordOrder(opened, makeOrder(shop, { orderId: 'waits' }));
      const receiptOf = async (orderId: string) =>
        (await fulfil(opened, makeOrder(shop, { orderId }))).receipt?.id ?? '';
      const [sent, later, claimed] = [await receiptOf('1'), await receiptOf('2'), await receiptOf('3')];
      const accepted = { kind: 'sent', at: now(), answer: '250' } as const;
      await settleReceipt(stores, shop.orgId, sent, now(), accepted);
      const nextTryAt = new Date(now().getTime() + DAY);
      const tryAgain = {
        kind: 'try-again',
        at: now(),
        answer: '451',
        reason: 'Not yet.',
        nextTryAt,
      } as const;
      await settleReceipt(stores, shop.orgId, later, now(), tryAgain);
      await opened.dropJobs((await opened.queuedJobs()).filter(({ kind }) => kind === 'send-receipt'));
      clock.advance(OVERDUE_AFTER_MS + 1);
      await stores.receipts.claim(shop.orgId, claimed, now());
      expect(await rescue(opened)).toEqual(NOTHING);
    });
  });

  describe('stored bodies', () => {
    it('are removed once they are old, and then the entry stays but cannot be run', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const order = makeOrder(shop, { lines: [makeLine('unknown')] });
      const { delivery } = await fulfil(opened, order);
      const orders = { read: () => order };
      const again = () => redeliver({ ...opened, ...stores, orders }, shop.orgId, delivery.id);
      clock.advance(180 * DAY);
      expect(await remove(opened)).toBe(0);
      expect((await again()).kind).toBe('redelivered');
      clock.advance(1);
      expect(await remove(opened)).toBe(1);
      expect(await remove(opened)).toBe(0);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.body).toBe(null);
      expect(await again()).toEqual({ kind: 'body-removed' });
      expect(await stores.deliveries.show(shop.orgId, delivery.id)).toMatchObject({ status: 'error' });
      expect(await stores.openDeliveries.countUnmatched(shop.orgId)).toBe(1);
      expect(await stores.openDeliveries.countWithSku(shop.orgId, 'unknown', null)).toBe(0);
    });

    it('of what is pending or held stay, however old', async () => {
      const opened = await openFreshShop(createStores);
      const { stores, shop, clock } = opened;
      const pending = await recordOrder(opened, makeOrder(shop, { orderId: '1' }));
      await updateProduct({ clock, products: stores.products }, shop.orgId, shop.product.id, {
        status: 'draft',
      });
      const held = await fulfil(opened, makeOrder(shop, { orderId: '2' }));
      clock.advance(400 * DAY);
      expect(await remove(opened)).toBe(0);
      for (const id of [pending.id, held.delivery.id]) {
        expect((await stores.deliveries.find(shop.orgId, id))?.body === null).toBe(false);
      }
    });
  });
}

function rescue({ clock, stores }: OpenedShop) {
  return rescueLostWork({ clock, upkeep: stores.upkeep });
}

function remove({ clock, stores }: OpenedShop) {
  return removeOldBodies({ clock, upkeep: stores.upkeep }, 180);
}

async function fulfil(opened: OpenedShop, order: Order) {
  const { id } = await recordOrder(opened, order);
  return fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, { id, attempts: 0 });
}
