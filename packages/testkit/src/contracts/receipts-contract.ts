import { type EmailOutcome, fulfilOrder } from '@handover/domain';
import { claimEmail, claimIdOf, completeEmail } from '../complete-emails.ts';
import type { TestRunner } from '../runner.ts';
import { makeLine, makeOrder, publishProduct, recordOrder } from '../samples.ts';
import { type CreateStores, collect, type OpenedShop, openFreshShop } from './harness.ts';

const HOUR = 60 * 60 * 1000;

/** Receipts, and how they show in the log and the lists. */
export function receiptsContract({ describe, it, expect }: TestRunner, createStores: CreateStores): void {
  describe('receipts', () => {
    it('are claimed with all that the mail says', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, plan } = await sell(opened);
      const claim = await claimEmail(opened.stores, opened.shop.orgId, receiptId, opened.clock.now());
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

    it('count the 48 hours of their links from the moment they are claimed', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, plan } = await sell(opened);
      opened.clock.advance(60 * HOUR);
      await claimReceipt(opened, receiptId);
      const page = await opened.stores.links.find(opened.shop.orgId, plan.links[0]?.id ?? '');
      expect(page?.expiresAt).toEqual(new Date(opened.clock.now().getTime() + 48 * HOUR));
    });

    it('complete every delivery of the order that waits for them, once sent', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, deliveryId } = await sell(opened);
      const again = await sell(opened);
      await complete(opened, receiptId, { kind: 'sent', at: opened.clock.now(), answer: '250 OK' });
      for (const id of [deliveryId, again.deliveryId]) {
        expect(await findDelivery(opened, id)).toMatchObject({ status: 'success', reason: null });
      }
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row?.receiptSentAt).toEqual(opened.clock.now());
      expect(await claimReceipt(opened, receiptId)).toEqual({ kind: 'not-pending' });
    });

    it('stay sent, whatever another process that tried them says later', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, deliveryId } = await sell(opened);
      const { outgoingEmails } = opened.stores;
      const former = claimIdOf(await claimReceipt(opened, receiptId));
      await opened.lapseClaims();
      const latter = claimIdOf(await claimReceipt(opened, receiptId));
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
      expect(await claimReceipt(opened, receiptId)).toEqual({ kind: 'not-pending' });
    });

    it('that were not taken leave the entry pending with the reason', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, deliveryId } = await sell(opened);
      const at = opened.clock.now();
      const nextTryAt = new Date(at.getTime() + HOUR);
      const reason = 'Not yet.';
      await complete(opened, receiptId, { kind: 'try-again', at, answer: '451', reason, nextTryAt });
      expect(await findDelivery(opened, deliveryId)).toMatchObject({ status: 'pending', reason });
    });

    it('are due at once, as if new, when the order is delivered again while they are pending', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId } = await sell(opened);
      const at = opened.clock.now();
      const nextTryAt = new Date(at.getTime() + 5 * HOUR);
      await complete(opened, receiptId, {
        kind: 'try-again',
        at,
        answer: '451',
        reason: 'Not yet.',
        nextTryAt,
      });
      opened.clock.advance(HOUR);
      const again = await sell(opened);
      expect(again.plan.resend).toEqual([receiptId]);
      expect(await claimReceipt(opened, receiptId)).toMatchObject({
        kind: 'claimed',
        email: { attempts: 0, pendingSince: opened.clock.now(), orderedAt: at },
      });
    });

    it('that were refused make the delivery an error, and a redelivery sends them again', async () => {
      const opened = await openFreshShop(createStores);
      const { receiptId, deliveryId } = await sell(opened);
      const at = opened.clock.now();
      await complete(opened, receiptId, { kind: 'refused', at, answer: '550', reason: 'No such box.' });
      expect(await findDelivery(opened, deliveryId)).toMatchObject({
        status: 'error',
        reason: 'No such box.',
      });
      expect(await claimReceipt(opened, receiptId)).toEqual({ kind: 'not-pending' });
      const again = await sell(opened);
      expect(again.plan.purchases).toEqual([]);
      await complete(opened, receiptId, { kind: 'sent', at, answer: '250 OK' });
      for (const id of [again.deliveryId, deliveryId]) {
        expect(await findDelivery(opened, id)).toMatchObject({ status: 'success', reason: null });
      }
    });

    it('of an order that came in parts: an entry stays an error until the last refused one is sent', async () => {
      const opened = await openFreshShop(createStores);
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const first = await sell(opened);
      const both = await sell(opened, ['PADS', 'KEYS']);
      const at = opened.clock.now();
      const refuse = { kind: 'refused', at, answer: '550', reason: 'No such box.' } as const;
      for (const { receiptId } of [first, both]) {
        await complete(opened, receiptId, refuse);
      }
      await sell(opened);
      await complete(opened, first.receiptId, { kind: 'sent', at, answer: '250 OK' });
      expect(await findDelivery(opened, first.deliveryId)).toMatchObject({ status: 'success' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({
        status: 'error',
        reason: 'No such box.',
      });
      await sell(opened, ['KEYS']);
      await complete(opened, both.receiptId, { kind: 'sent', at, answer: '250 OK' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'success', reason: null });
    });

    it('of an order that came in parts: the entry that waits for two is a success with the second', async () => {
      const opened = await openFreshShop(createStores);
      await publishProduct(opened, opened.shop.orgId, 'Keys');
      const first = await sell(opened);
      const both = await sell(opened, ['PADS', 'KEYS']);
      const { now } = opened.clock;
      await complete(opened, first.receiptId, { kind: 'sent', at: now(), answer: '250 OK' });
      expect(await findDelivery(opened, first.deliveryId)).toMatchObject({ status: 'success' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'pending' });
      await complete(opened, both.receiptId, { kind: 'sent', at: now(), answer: '250 OK' });
      expect(await findDelivery(opened, both.deliveryId)).toMatchObject({ status: 'success' });
    });
  });
}

async function sell(opened: OpenedShop, skus: readonly string[] = ['PADS']) {
  const order = makeOrder(opened.shop, { lines: skus.map((sku) => makeLine(sku)) });
  const { id } = await recordOrder(opened, order);
  const plan = await fulfilOrder({ ...opened, fulfilment: opened.stores.fulfilment }, order, {
    id,
    attempts: 0,
  });
  return { deliveryId: id, plan, receiptId: plan.receipt?.id ?? '' };
}

function claimReceipt({ stores, shop, clock }: OpenedShop, receiptId: string) {
  return claimEmail(stores, shop.orgId, receiptId, clock.now());
}

function complete({ stores, shop, clock }: OpenedShop, receiptId: string, outcome: EmailOutcome) {
  return completeEmail(stores, shop.orgId, receiptId, clock.now(), outcome);
}

function findDelivery({ stores, shop }: OpenedShop, deliveryId: string) {
  return stores.deliveries.find(shop.orgId, deliveryId);
}
