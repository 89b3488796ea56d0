import {
  correctAddress,
  eraseCustomer,
  isErased,
  type Rejection,
  resendReceipt,
  restorePurchase,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import { BY_JANA, makeOrder, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import {
  beginDownload,
  completeDownload,
  completeNow,
  countActivity,
  fulfil,
  fulfilAgain,
  makeLines,
  record,
  searchPurchases,
  sell,
  sellByOrder,
  setStatus,
} from './shop-actions.ts';

const ANA = { email: 'Ana@Example.com', name: 'Ana Lima' };
const MISTYPED = { email: 'ana@exmaple.com', name: 'Ana Lima' };

/** A buyer asks to be erased. */
export function eraseContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openWithBuyer);

  describe('erasing a buyer', () => {
    it('leaves the purchases for the books, revoked and of nobody', async (bought) => {
      const { opened, erase, purchaseId, customerId } = bought;
      expect(await erase()).toBe('erased');
      const record = await opened.purchases.show(opened.shop.orgId, purchaseId);
      expect(record).toMatchObject({
        customerName: 'Erased buyer',
        customerEmail: `erased-${customerId}@erased.invalid`,
        amount: '49.00',
        orderNumber: '#1',
        receipt: null,
        revokedAt: opened.clock.now(),
        deliveries: [{ status: 'success' }],
      });
      expect(await searchPurchases(opened, { text: 'example' })).toEqual([]);
      expect(await searchPurchases(opened, { text: 'erased' })).toHaveLength(1);
    });

    it('takes the name and the address out of the logs', async ({
      opened,
      erase,
      purchaseId,
      deliveryId,
    }) => {
      const { stores, shop } = opened;
      await erase();
      expect(
        await opened.activity.list(shop.orgId, { subjectId: null, before: null, limit: 100 }),
      ).toMatchObject([
        { kind: 'buyer-erased', actor: 'jana@example.com' },
        { kind: 'download-completed', summary: 'Pads 1.0 downloaded by [erased].' },
        { kind: 'address-corrected', subjectId: purchaseId, summary: CORRECTED },
        { kind: 'order-delivered' },
      ]);
      expect(await opened.deliveries.find(shop.orgId, deliveryId)).toMatchObject({
        normalizedEmail: null,
        note: null,
        body: null,
        status: 'success',
      });
      const page = { text: 'ana@', status: null, connectionId: null, before: null, limit: 10 };
      expect(await stores.deliveries.search(shop.orgId, page)).toEqual([]);
      expect(await stores.rejected.list(shop.orgId, 'storefront-a', new Date(0))).toEqual([]);
    });

    it('also erases whom the purchases belonged to before the address was corrected', async (bought) => {
      const { opened, erase, former } = bought;
      await erase();
      const { email = '' } = (await opened.customers.find(opened.shop.orgId, former)) ?? {};
      expect(isErased(email)).toBe(true);
    });

    it('takes the buyer out of the sentences about a purchase that moved to somebody else', async (bought) => {
      const { opened, former, purchaseId, customerId } = bought;
      const { orgId } = opened.shop;
      await sell(opened, { customerId: former, newCustomer: null });
      expect(await eraseCustomer(opened, orgId, former, BY_JANA)).toBe('erased');
      const page = { subjectId: purchaseId, before: null, limit: 1 };
      expect(await opened.activity.list(orgId, page)).toMatchObject([
        { summary: CORRECTED.replace('to [erased]', 'to Ana@Example.com') },
      ]);
      expect(await opened.customers.find(orgId, customerId)).toMatchObject(ANA);
      expect(await opened.purchases.show(orgId, purchaseId)).toMatchObject({ customerId, revokedAt: null });
    });

    it('spares a former customer who bought something else, and everybody else', async (bought) => {
      const { opened, erase, former } = bought;
      const { stores, shop } = opened;
      await sell(opened, { customerId: former, newCustomer: null });
      const eva = { email: 'eva@example.com', name: 'Eva' };
      const { purchaseId } = await sellByOrder(opened, { orderId: '8', customer: eva });
      const other = await openShop(opened, 'Other');
      const elsewhere = await sellByOrder({ ...opened, shop: other }, { customer: ANA });
      expect(await erase()).toBe('erased');
      expect(await stores.customers.find(shop.orgId, former)).toMatchObject(MISTYPED);
      expect(await stores.purchases.show(shop.orgId, purchaseId)).toMatchObject({
        customerEmail: eva.email,
        revokedAt: null,
      });
      expect(await stores.purchases.show(other.orgId, elsewhere.purchaseId)).toMatchObject({
        customerEmail: ANA.email,
      });
      expect(await stores.deliveries.find(other.orgId, elsewhere.deliveryId)).toMatchObject({
        normalizedEmail: 'ana@example.com',
      });
    });

    it('does not make the order deliverable again, and the buyer can buy anew', async ({ opened, erase }) => {
      await erase();
      const again = await fulfil(opened, makeOrder(opened.shop, { customer: ANA }));
      expect(again).toMatchObject({ purchases: [], receipt: null, customer: null, resend: [] });
      const { plan } = await sellByOrder(opened, { orderId: '9', customer: ANA });
      expect(plan.customer).toMatchObject(ANA);
    });

    it('takes what the shop sends later about the orders, when it is asked again', async (bought) => {
      const { opened, erase } = bought;
      const { stores, shop } = opened;
      await erase();
      opened.clock.advance(1000);
      const later = await fulfil(
        opened,
        makeOrder(shop, { orderNumber: '#1', customer: ANA, lines: makeLines('PADS') }),
      );
      const { id } = later.delivery;
      expect(await stores.deliveries.find(shop.orgId, id)).toMatchObject({
        normalizedEmail: 'ana@example.com',
      });
      expect(await erase()).toBe('erased');
      expect(await stores.deliveries.find(shop.orgId, id)).toMatchObject({
        normalizedEmail: null,
        body: null,
      });
      expect(await erase()).toBe('erased-before');
      expect(await countActivity(opened, 'buyer-erased')).toBe(2);
    });

    it('cannot be undone, and nothing more is sold or mailed', async (bought) => {
      const { opened, erase, purchaseId, customerId } = bought;
      const { orgId } = opened.shop;
      await erase();
      expect(await erase()).toBe('erased-before');
      expect(await countActivity(opened, 'buyer-erased')).toBe(1);
      expect(await restorePurchase(opened, orgId, purchaseId, BY_JANA)).toBe('revoked');
      const seen = { by: BY_JANA, seen: null };
      expect(await resendReceipt(opened, orgId, purchaseId, seen)).toEqual({ kind: 'revoked' });
      expect(await record(opened, { customerId, newCustomer: null })).toEqual({
        kind: 'unknown-customer',
      });
    });

    it('takes the reasons for which somebody dismissed failures of the buyer', async (bought) => {
      const { opened, erase, deliveryId } = bought;
      const { stores, shop, clock, ids } = opened;
      const at = clock.now();
      const reason = 'Ana called.';
      const seen = { seenAt: at, seenCount: 1, reason, by: 'jana@example.com', at };
      const subjects = [`receipt ${bought.formerReceiptId}`, 'receipt of somebody else'];
      await stores.dismissals.dismiss(
        shop.orgId,
        subjects.map((subject) => ({ subject, ...seen })),
      );
      const dismissed = { at, kind: 'action-item-dismissed', ...BY_JANA } as const;
      const named = `Dismissed: The refused receipt of Pads for ${ANA.name}.`;
      const summaries = [named, 'Dismissed: Another one.'].map((what) => `${what} Reason: ${reason}`);
      for (const [at, summary] of summaries.entries())
        await stores.activity.add(shop.orgId, {
          id: ids.next(),
          subjectId: at === 0 ? deliveryId : shop.orgId,
          ...dismissed,
          summary,
        });
      await erase();
      expect(await stores.dismissals.list(shop.orgId, subjects)).toMatchObject([
        { reason: 'Erased with the buyer.' },
        { reason },
      ]);
      const page = { subjectId: null, before: null, limit: 3 };
      expect(await stores.activity.list(shop.orgId, page)).toMatchObject([
        { kind: 'buyer-erased' },
        { summary: 'Dismissed: Another one. Reason: Ana called.' },
        { summary: 'Dismissed: The refused receipt of Pads for [erased]. Reason: [erased]' },
      ]);
    });

    it('does not sell a form again whose key was used for the buyer', async (bought) => {
      const { opened, erase, customerId } = bought;
      const form = { customerId, newCustomer: null };
      await record(opened, form, 'key-1');
      const asNew = { newCustomer: { name: 'Eva', email: 'eva@example.com' } };
      const other = await record(opened, asNew, 'key-2');
      await erase();
      expect(await record(opened, form, 'key-1')).toEqual({ kind: 'key-reused' });
      expect(await record(opened, asNew, 'key-2')).toEqual(other);
    });

    it('waits for mails to the buyer, and for orders, which would be lost', async (bought) => {
      const { opened, erase, customerId } = bought;
      const { orgId } = opened.shop;
      const pending = await sellByOrder(opened, { orderId: '2', customer: ANA });
      expect(await erase()).toBe('mail-waits');
      await completeNow(opened, pending.receiptId, 'sent');
      await setStatus(opened, 'draft');
      const held = await fulfil(opened, makeOrder(opened.shop, { orderId: '3', customer: ANA }));
      expect(held.delivery.status).toBe('held');
      expect(await erase()).toBe('order-waits');
      expect(await opened.customers.find(orgId, customerId)).toMatchObject(ANA);
      expect(await opened.deliveries.find(orgId, bought.deliveryId)).toMatchObject({
        normalizedEmail: 'ana@exmaple.com',
      });
    });

    it('waits for an order with a SKU that no product is known for: mapping it delivers the order', async (bought) => {
      const { opened, erase } = bought;
      const { stores, shop } = opened;
      for (const [orderId, lines] of [
        ['4', makeLines('unknown-sku')],
        ['5', makeLines('PADS', 'unknown-sku')],
      ] as const) {
        const { receiptId, plan } = await sellByOrder(opened, { orderId, customer: ANA, lines });
        if (receiptId) await completeNow(opened, receiptId, 'sent');
        expect(plan.delivery.status).toBe(receiptId ? 'pending' : 'error');
        expect(await erase()).toBe('order-waits');
        await stores.skuMappings.put(shop.orgId, { sku: 'unknown-sku', platform: null, productId: null });
        await fulfilAgain(opened, makeOrder(shop, { orderId, customer: ANA, lines }), plan.delivery.id);
        await stores.skuMappings.remove(shop.orgId, 'unknown-sku', null);
      }
      expect(await erase()).toBe('erased');
    });

    it('waits for nothing of an order that can only fail', async (bought) => {
      const { opened, erase } = bought;
      const lines = [{ candidates: [], title: 'A shirt', quantity: 1, amount: null }];
      const { plan } = await sellByOrder(opened, { orderId: '4', customer: ANA, lines });
      expect(plan.delivery.status).toBe('error');
      expect(await erase()).toBe('erased');
    });

    it('knows no customer of another organisation, and no nonsense', async ({ opened, customerId }) => {
      const other = await openShop(opened, 'Other');
      expect(await eraseCustomer(opened, other.orgId, customerId, BY_JANA)).toBe('unknown-customer');
      expect(await eraseCustomer(opened, 'x', customerId, BY_JANA)).toBe('unknown-customer');
      expect(await eraseCustomer(opened, opened.shop.orgId, 'x', BY_JANA)).toBe('unknown-customer');
      expect(await opened.customers.find(opened.shop.orgId, customerId)).toMatchObject(ANA);
    });
  });
}

const CORRECTED =
  'The address is corrected from [erased] to [erased]. The receipt to the former address was refused: “2.0.0”.';

/** Somebody whose address was corrected, and who downloaded the product. */
async function openWithBuyer(opened: OpenedShop) {
  const { shop, stores, clock } = opened;
  const sold = await sellByOrder(opened, { orderNumber: '#1', customer: MISTYPED, lines: makeLines('PADS') });
  const { purchaseId, deliveryId } = sold;
  await completeNow(opened, sold.receiptId, 'refused');
  const asked = { by: BY_JANA, seen: MISTYPED.email };
  const corrected = await correctAddress(opened, shop.orgId, purchaseId, ANA.email, asked);
  if (corrected.kind !== 'corrected') throw new Error(`The sample correction: ${corrected.kind}`);
  const { customerId } = corrected;
  const mailing = await stores.mailings.find(shop.orgId, purchaseId);
  await completeNow(opened, mailing?.receipt?.id ?? '', 'sent');
  const linkId = (await stores.purchases.show(shop.orgId, purchaseId))?.linkId ?? '';
  await completeDownload(opened, linkId, await beginDownload(opened, linkId));
  await stores.rejected.record(rejectionOf(opened));
  clock.advance(1000);
  return {
    opened,
    purchaseId,
    deliveryId,
    customerId,
    former: sold.plan.customer?.id ?? '',
    formerReceiptId: sold.receiptId,
    erase: () => eraseCustomer(opened, shop.orgId, customerId, BY_JANA),
  };
}

/** Of a request about another order of the buyer, which was signed wrongly. */
function rejectionOf({ shop, clock, ids }: OpenedShop): Rejection {
  const at = clock.now();
  const facts = { orgId: shop.orgId, platform: 'storefront-a', reason: 'It fits no secret.' } as const;
  const order = { orderId: '7', orderNumber: '#7', normalizedEmail: 'ana@example.com' };
  const kept = { id: ids.next(), receivedAt: at, source: 's', bytes: new Uint8Array([1]), headers: {} };
  return { ...facts, count: 1, at, kept: { ...facts, ...kept, secretFingerprint: null, order }, alert: null };
}
