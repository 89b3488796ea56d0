import {
  correctAddress,
  fulfilOrder,
  recordDeliveries,
  resendReceipt,
  restorePurchase,
  revokePurchase,
} from '@handover/domain';
import { claimEmail, claimIdOf } from '../complete-emails.ts';
import { BY_JANA, makeLine, makeOrder, makeReceived, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { completeNow, searchPurchases, sell, sellByOrder, setStatus } from './shop-actions.ts';

const MINUTE = 60 * 1000;

const BY_JO = { actor: 'jo@example.com', via: 'dashboard' } as const;

/** The page of one purchase, and its revocation. */
export function purchaseRecordContract(runner: StoresRunner): void {
  const { describe, it, expect } = runner;

  describe('the record of a purchase', () => {
    it('has the entry that made it, its link and its pending receipt', async (opened) => {
      const { stores, shop, purchaseId, deliveryId } = await openSold(opened);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record).toMatchObject({
        id: purchaseId,
        customerName: 'Ana Lima',
        orderNumber: '#1001',
        connectionName: 'main',
        purchasesOfBuyer: 1,
        receiptStatus: 'pending',
        receipt: { status: 'pending', attempts: 0, lastAnswer: null, lastAnswerAt: null, sentAt: null },
        version: { label: '1.0', files: [{ name: 'pads.zip', size: 5 }] },
        sessions: [],
      });
      expect(record?.deliveries).toMatchObject([{ id: deliveryId, sku: 'PADS', outcome: 'delivered' }]);
      expect(record?.links).toMatchObject([{ openedCount: 0, firstOpenedAt: null, revokedAt: null }]);
    });

    it('names what else its order bought, and what of it is revoked', async (opened) => {
      const { stores, shop } = opened;
      for (const name of ['Keys', 'Drums']) await publishProduct(opened, shop.orgId, name);
      const lines = ['pads', 'keys', 'drums'].map((sku) => makeLine(sku));
      await sellByOrder(opened, { orderId: '1', lines });
      await sellByOrder(opened, { orderId: '2', lines });
      const bought = await searchPurchases(opened, {
        ofOrder: { connectionId: shop.connection.id, orderId: '1' },
      });
      const idOf = (name: string) => bought.find(({ productName }) => productName === name)?.id ?? '';
      await revokePurchase(opened, shop.orgId, idOf('Keys'), BY_JANA);
      const record = await stores.purchases.show(shop.orgId, idOf('Pads'));
      const revokedAt = opened.clock.now();
      expect(record?.othersOfOrder).toEqual([
        { id: idOf('Drums'), productName: 'Drums', revokedAt: null },
        { id: idOf('Keys'), productName: 'Keys', revokedAt },
      ]);
      const { purchaseId } = await sell(opened, { newCustomer: { name: 'Jo', email: 'jo@example.com' } });
      expect((await stores.purchases.show(shop.orgId, purchaseId))?.othersOfOrder).toEqual([]);
    });

    it('has what the shop sent about its order afterwards, of this order only', async (opened) => {
      const { stores, shop, clock } = opened;
      const say = async (
        orderId: string,
        reason: string,
        from: Parameters<typeof makeReceived>[0] = shop,
      ) => {
        const entries = [{ kind: 'ignored', orderId, reason }] as const;
        const received = makeReceived(from, clock.now(), { kind: 'translated', entries });
        const recorded = await recordDeliveries(opened, received, 'in-background');
        return recorded.kind === 'recorded' ? (recorded.deliveries[0]?.id ?? '') : '';
      };
      await say('5001', 'The order is not paid yet.');
      clock.advance(MINUTE);
      await sellByOrder(opened, {});
      clock.advance(MINUTE);
      const deliveryId = await say('5001', 'The order was refunded.');
      await say('5002', 'Another order was refunded.');
      await say('5001', 'An order of another shop.', await openShop(opened, 'Other'));
      const [bought] = await searchPurchases(opened);
      const record = await stores.purchases.show(shop.orgId, bought?.id ?? '');
      expect(record?.laterEvents).toEqual([
        { deliveryId, receivedAt: clock.now(), reason: 'The order was refunded.' },
      ]);
    });

    it('has a refund that was reported while the order was held', async (opened) => {
      const { stores, shop, clock } = opened;
      await setStatus(opened, 'draft');
      const order = makeOrder(shop, {});
      const held = await sellByOrder(opened, {});
      clock.advance(MINUTE);
      const entries = [
        { kind: 'ignored', orderId: order.orderId, reason: 'The order was refunded.' },
      ] as const;
      await recordDeliveries(
        opened,
        makeReceived(shop, clock.now(), { kind: 'translated', entries }),
        'in-background',
      );
      const refundedAt = clock.now();
      clock.advance(MINUTE);
      await setStatus(opened, 'published');
      await fulfilOrder(opened, order, { id: held.deliveryId, attempts: 1 });
      const [bought] = await searchPurchases(opened);
      const record = await stores.purchases.show(shop.orgId, bought?.id ?? '');
      expect(record?.laterEvents).toMatchObject([
        { receivedAt: refundedAt, reason: 'The order was refunded.' },
      ]);
    });

    it('has the first and last opening of a link, and the bytes sent of each file', async (opened) => {
      const { stores, shop, clock, ids, purchaseId, linkId } = await openSold(opened);
      const first = clock.now();
      await stores.links.refresh(shop.orgId, linkId, first, new Date(first.getTime() + MINUTE));
      clock.advance(MINUTE / 2);
      const last = clock.now();
      await stores.links.refresh(shop.orgId, linkId, last, new Date(last.getTime() + MINUTE));
      const request = { sessionId: ids.next(), joining: null, client: 'browser', at: last } as const;
      const sessionId = (await stores.sessions.begin(shop.orgId, linkId, request)) ?? '';
      const sent = { version: '1.0', name: 'pads.zip', size: 5, ranges: [{ start: 0, end: 2 }] };
      await stores.sessions.addSent(shop.orgId, sessionId, sent, last);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.links).toMatchObject([{ openedCount: 2, firstOpenedAt: first, lastOpenedAt: last }]);
      expect(record?.sessions).toEqual([
        {
          id: sessionId,
          startedAt: last,
          lastByteAt: last,
          completedAt: null,
          client: 'browser',
          files: [{ version: '1.0', name: 'pads.zip', size: 5, sent: 2, whole: false }],
        },
      ]);
    });

    it('has the last answer of the mail server, and its time', async (opened) => {
      const { stores, shop, clock, purchaseId } = await openSold(opened);
      const receiptId = (await stores.purchases.show(shop.orgId, purchaseId))?.receipt?.id ?? '';
      const claimId = claimIdOf(await claimEmail(stores, shop.orgId, receiptId, clock.now()));
      clock.advance(1000);
      const answer = '550 5.1.1 no such mailbox';
      const outcome = { kind: 'refused', at: clock.now(), answer, reason: 'No.' } as const;
      await stores.outgoingEmails.complete(shop.orgId, receiptId, claimId, outcome);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      const told = { status: 'refused', attempts: 1, lastAnswer: answer, lastAnswerAt: clock.now() };
      expect(record?.receipt).toMatchObject(told);
    });

    it('of a sale recorded by hand has no entry, and counts all that its buyer has', async (opened) => {
      const { customerId } = await sell(opened);
      const { purchaseId } = await sell(opened, { customerId });
      const record = await opened.stores.purchases.show(opened.shop.orgId, purchaseId);
      expect(record).toMatchObject({
        connectionName: null,
        receipt: null,
        deliveries: [],
        purchasesOfBuyer: 2,
      });
      expect(record?.activity).toMatchObject([{ kind: 'sale-recorded', subjectId: purchaseId }]);
    });

    it('is unknown to another organisation', async (fresh) => {
      const opened = await openSold(fresh);
      const { orgId } = await openShop(opened, 'Other');
      for (const [where, id] of [
        [orgId, opened.purchaseId],
        [opened.shop.orgId, 'nonsense'],
        [opened.shop.orgId, opened.ids.next()],
      ] as const) {
        expect(await opened.stores.purchases.show(where, id)).toBe(null);
        expect(await revokePurchase(opened, where, id, BY_JANA)).toBe('unknown-purchase');
        expect(await restorePurchase(opened, where, id, BY_JANA)).toBe('unknown-purchase');
      }
      expect((await opened.stores.links.find(opened.shop.orgId, opened.linkId))?.revokedAt).toBe(null);
    });
  });

  describe('a purchase that is revoked', () => {
    it('has no link that works, and gets no new one by mail until it is restored', async (fresh) => {
      const opened = await openSold(fresh);
      const { stores, shop, clock, purchaseId, linkId } = opened;
      const resend = async () => {
        const seen = (await stores.mailings.find(shop.orgId, purchaseId))?.receipt ?? null;
        return resendReceipt(opened, shop.orgId, purchaseId, { by: BY_JO, seen });
      };
      await markSent(opened, purchaseId);
      clock.advance(1000);
      await resend();
      expect(await revokePurchase(opened, shop.orgId, purchaseId, BY_JANA)).toBe('done');
      const revokedAt = clock.now();
      clock.advance(1000);
      expect(await revokePurchase(opened, shop.orgId, purchaseId, BY_JANA)).toBe('revoked');
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.links.map((link) => link.revokedAt)).toEqual([revokedAt, revokedAt]);
      expect(await stores.links.find(shop.orgId, linkId)).toMatchObject({ revokedAt, isReplaced: false });
      expect((await resend()).kind).toBe('revoked');
      expect(await restorePurchase(opened, shop.orgId, purchaseId, BY_JANA)).toBe('done');
      expect(await restorePurchase(opened, shop.orgId, purchaseId, BY_JANA)).toBe('not-revoked');
      expect((await stores.links.find(shop.orgId, linkId))?.revokedAt).toBe(null);
      await markSent(opened, purchaseId);
      expect((await resend()).kind).toBe('queued');
      const told = (await stores.purchases.show(shop.orgId, purchaseId))?.activity ?? [];
      const by = told.filter(({ actor }) => actor === BY_JANA.actor);
      expect(by.map(({ kind }) => kind)).toEqual(['link-revoked', 'link-restored']);
      const { productName, amount, currency, orderNumber } = record ?? {};
      const name = `${productName} for ${amount} ${currency}, Shopify order ${orderNumber}. `;
      expect(by.map(({ summary }) => summary.startsWith(name))).toEqual([true, true]);
    });

    it('does not give a stranger back, once restored, what a corrected address took from him', async (fresh) => {
      const opened = await openSold(fresh);
      const { stores, shop, clock, purchaseId, linkId } = opened;
      await correctAddress(opened, shop.orgId, purchaseId, 'ana.lima@example.com', {
        by: BY_JO,
        seen: 'ana@example.com',
      });
      clock.advance(1000);
      await revokePurchase(opened, shop.orgId, purchaseId, BY_JANA);
      await restorePurchase(opened, shop.orgId, purchaseId, BY_JANA);
      expect((await stores.links.find(shop.orgId, linkId))?.revokedAt instanceof Date).toBe(true);
      const record = await stores.purchases.show(shop.orgId, purchaseId);
      expect(record?.revokedAt).toBe(null);
    });
  });
}

async function markSent(opened: OpenedShop, purchaseId: string): Promise<void> {
  const mailing = await opened.mailings.find(opened.shop.orgId, purchaseId);
  await completeNow(opened, mailing?.receipt?.id ?? '', 'sent');
}

async function openSold(opened: OpenedShop) {
  return { ...opened, ...(await sellByOrder(opened)) };
}
