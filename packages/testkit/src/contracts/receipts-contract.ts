import { claimIdOf } from '../complete-emails.ts';
import { publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { claimNow, completeNow, makeLines, sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** Receipts, and how they show in the log and the lists. */
export function receiptsContract({ describe, it, expect }: StoresRunner): void {
  describe('receipts', () => {
    it('are claimed with the content of the mail', async (opened) => {
      const { receiptId, plan } = await sellByOrder(opened);
      const claim = await claimNow(opened, receiptId);
      const organisation = await opened.stores.organisations.find(opened.shop.orgId);
      expect(claim).toEqual({
        kind: 'claimed',
        claimId: claimIdOf(claim),
        email: {
          kind: 'receipt',
          id: receiptId,
          orgId: opened.shop.orgId,
          orderedAt: opened.clock.now(),
          pendingSince: opened.clock.now(),
          attempts: 0,
          language: null,
          organisation: {
            name: 'Lumen Audio',
            email: organisation?.email,
            language: 'en',
            timeZone: 'UTC',
          },
          customer: { email: 'ana@example.com', name: 'Ana Lima' },
          orderNumber: '#1001',
          items: [
            {
              productName: 'Pads',
              version: '1.0',
              fileCount: 1,
              totalSize: 5,
              amount: '49.00',
              currency: 'EUR',
              linkId: plan.links[0]?.id,
            },
          ],
          delivery: { id: plan.delivery.id, receivedAt: opened.clock.now(), traceContext: null },
        },
      });
    });

    it('renew the 48 hours of their links when they are claimed', async (opened) => {
      const { receiptId, plan } = await sellByOrder(opened);
      opened.clock.advance(60 * HOUR);
      await claimNow(opened, receiptId);
      const page = await opened.stores.links.find(opened.shop.orgId, plan.links[0]?.id ?? '');
      expect(page?.expiresAt).toEqual(new Date(opened.clock.now().getTime() + 48 * HOUR));
    });

    it('complete every delivery of the order that waits for them, once sent', async (opened) => {
      const { receiptId, deliveryId } = await sellByOrder(opened);
      const again = await sellByOrder(opened);
      await completeNow(opened, receiptId, 'sent');
      for (const id of [deliveryId, again.deliveryId]) {
        expect(await findDelivery(opened, id)).toMatchObject({ status: 'success', reason: null });
      }
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row?.receiptSentAt).toEqual(opened.clock.now());
      expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-pending' });
    });

    it('stay sent, whatever another process reports later', async (opened) => {
      const { receiptId, deliveryId } = await sellByOrder(opened);
      const { outgoingEmails } = opened.stores;
      const former = claimIdOf(await claimNow(opened, receiptId));
      await opened.expireClaims();
      const latter = claimIdOf(await claimNow(opened, receiptId));
      const at = opened.clock.now();
      const sent = { kind: 'sent', at, answer: '250 OK' } as const;
      expect(await outgoingEmails.complete(opened.shop.orgId, receiptId, latter, sent)).toBe('completed');
      const refused = { kind: 'refused', at, answer: '550', reason: 'No such box.' } as const;
      for (const claimId of [former, latter]) {
        expect(await outgoingEmails.complete(opened.shop.orgId, receiptId, claimId, refused)).toBe(
          'not-held',
        );
      }
      expect(await findDelivery(opened, deliveryId)).toMatchObject({ status: 'success', reason: null });
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row?.receiptSentAt).toEqual(at);
      const mailing = await opened.stores.mailings.find(opened.shop.orgId, row?.id ?? '');
      expect(mailing?.receipt).toEqual({ id: receiptId, status: 'sent', language: null, answer: '250 OK' });
      expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-pending' });
    });

    it('that were not accepted leave the entry pending with the reason', async (opened) => {
      const { receiptId, deliveryId } = await sellByOrder(opened);
      await completeNow(opened, receiptId, 'try-again');
      expect(await findDelivery(opened, deliveryId)).toMatchObject({
        status: 'pending',
        reason: 'No such box.',
      });
    });

    it('are due at once, as if new, when the order is delivered again while they are pending', async (opened) => {
      const { receiptId } = await sellByOrder(opened);
      const at = opened.clock.now();
      await completeNow(opened, receiptId, 'try-again');
      opened.clock.advance(HOUR / 2);
      const again = await sellByOrder(opened);
      expect(again.plan.resend).toEqual([receiptId]);
      expect(await claimNow(opened, receiptId)).toMatchObject({
        kind: 'claimed',
        email: { attempts: 0, pendingSince: opened.clock.now(), orderedAt: at },
      });
    });

    it('that were refused make the delivery an error, and a redelivery sends them again', async (opened) => {
      const { receiptId, deliveryId } = await sellByOrder(opened);
      await completeNow(opened, receiptId, 'refused');
      expect(await findDelivery(opened, deliveryId)).toMatchObject({
        status: 'error',
        reason: 'No such box.',
      });
      expect(await claimNow(opened, receiptId)).toEqual({ kind: 'not-pending' });
      const again = await sellByOrder(opened);
      expect(again.plan.purchases).toEqual([]);
      await completeNow(opened, receiptId, 'sent');
      for (const id of [again.deliveryId, deliveryId]) {
        expect(await findDelivery(opened, id)).toMatchObject({ status: 'success', reason: null });
      }
    });

    it('of an order that came in parts: an entry stays an error until the last refused one is sent', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const first = await sellByOrder(opened);
      const both = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      for (const { receiptId } of [first, both]) {
        await completeNow(opened, receiptId, 'refused');
      }
      await sellByOrder(opened);
      await completeNow(opened, first.receiptId, 'sent');
      expect(await findDelivery(opened, first.deliveryId)).toMatchObject({ status: 'success' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({
        status: 'error',
        reason: 'No such box.',
      });
      await sellByOrder(opened, { lines: makeLines('KEYS') });
      await completeNow(opened, both.receiptId, 'sent');
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'success', reason: null });
    });

    it('of an order that came in parts: the entry that waits for two is a success with the second', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const first = await sellByOrder(opened);
      const both = await sellByOrder(opened, { lines: makeLines('PADS', 'KEYS') });
      await completeNow(opened, first.receiptId, 'sent');
      expect(await findDelivery(opened, first.deliveryId)).toMatchObject({ status: 'success' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'pending' });
      await completeNow(opened, both.receiptId, 'sent');
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'success' });
    });
  });
}

function findDelivery({ stores, shop }: OpenedShop, deliveryId: string) {
  return stores.deliveries.find(shop.orgId, deliveryId);
}
