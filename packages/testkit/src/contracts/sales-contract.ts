import {
  activateVersion,
  correctAddress,
  createProduct,
  createVersion,
  decideFulfilment,
  fulfilOrder,
  setSubscription,
} from '@handover/domain';
import { BY_JANA, makeOrder, openShop, recordOrder } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';
import { claimNow, record, searchPurchases, sell } from './shop-actions.ts';

/** Sales recorded by hand, and subscriptions. */
export function salesContract({ describe, it, expect }: StoresRunner): void {
  describe('a sale recorded by hand', () => {
    it('makes customer, purchase and link in one step, and a mail only when asked', async (opened) => {
      const sold = await sell(opened);
      const [row, ...more] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(more).toEqual([]);
      expect(row).toMatchObject({
        id: sold.purchaseId,
        customerId: sold.customerId,
        customerName: 'Ana Lima',
        customerEmail: 'ana@example.com',
        amount: '49.00',
        currency: 'EUR',
        paymentMethod: 'custom',
        source: 'api',
        orderId: null,
        linkId: sold.linkId,
        receiptSentAt: null,
        isTest: false,
      });
      expect(await opened.queuedJobs()).toEqual([]);
      const mailed = await sell(opened, { customerId: sold.customerId, sendEmail: true });
      expect(mailed.customerId).toBe(sold.customerId);
      const [job] = await opened.queuedJobs();
      const receiptId = job?.kind === 'send-email' && job.emailKind === 'receipt' ? job.emailId : '';
      const claim = await claimNow(opened, receiptId);
      expect(claim).toMatchObject({ kind: 'claimed', email: { items: [{ linkId: mailed.linkId }] } });
    });

    it('of two for one new address at the same moment is one, and the other creates nothing', async (opened) => {
      const forms = ['ana@example.com', 'ANA@Example.com'].map((email) =>
        record(opened, { newCustomer: { name: 'Ana', email } }),
      );
      const kinds = (await Promise.all(forms)).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['customer-exists', 'recorded']);
      expect(await collect(opened.stores.purchases.list(opened.shop.orgId))).toHaveLength(1);
    });

    it('with an idempotency key is the same sale however often it is sent, and no other', async (opened) => {
      const again = () => record(opened, {}, 'key-1');
      const results = await Promise.all([again(), again(), again()]);
      results.push(await again());
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      expect(results[0]?.kind).toBe('recorded');
      expect(await record(opened, { amount: '50.00' }, 'key-1')).toEqual({ kind: 'key-reused' });
      const other = await openShop(opened, 'Other');
      const elsewhere = await record({ ...opened, shop: other }, { productId: other.product.id }, 'key-1');
      expect(elsewhere.kind).toBe('recorded');
      const { purchases } = opened.stores;
      const found = [await purchases.findRecorded(opened.shop.orgId, 'key-1')];
      found.push(await purchases.findRecorded(other.orgId, 'key-1'));
      expect(found).toEqual(
        [results[0], elsewhere].map((sale) => sale?.kind === 'recorded' && sale.purchaseId),
      );
      expect(await purchases.findRecorded(opened.shop.orgId, 'key-2')).toBe(null);
      expect(await purchases.findRecorded('nonsense', 'key-1')).toBe(null);
      expect(await collect(opened.stores.purchases.list(opened.shop.orgId))).toHaveLength(1);
    });

    it('that is repeated later names its buyer and its newest link of then', async (opened) => {
      const { stores, shop, clock } = opened;
      const again = () => record(opened, { sendEmail: true }, 'key-1');
      const first = await again();
      if (first.kind !== 'recorded') throw new Error(`The sale: ${first.kind}`);
      clock.advance(1000);
      const before = await stores.purchases.show(shop.orgId, first.purchaseId);
      const change = { by: BY_JANA, seen: before?.customerEmail ?? '' };
      await correctAddress(opened, shop.orgId, first.purchaseId, 'corrected@example.org', change);
      const now = await stores.purchases.show(shop.orgId, first.purchaseId);
      expect([now?.customerId === first.customerId, now?.linkId === first.linkId]).toEqual([false, false]);
      const { customerId, linkId } = now ?? {};
      expect(await again()).toEqual({ ...first, customerId, linkId });
    });

    it('needs a customer and a product of the organisation, and creates nothing without', async (opened) => {
      const other = await openShop(opened, 'Other');
      const foreign = await sell({ ...opened, shop: other }, { productId: other.product.id });
      for (const customerId of [foreign.customerId, opened.ids.next(), 'nobody', '']) {
        expect(await record(opened, { customerId })).toEqual({ kind: 'unknown-customer' });
      }
      for (const productId of [other.product.id, opened.ids.next(), 'pads', '']) {
        expect(await record(opened, { productId })).toEqual({ kind: 'unknown-product' });
      }
      expect(await collect(opened.stores.purchases.list(opened.shop.orgId))).toEqual([]);
      expect((await record(opened, {})).kind).toBe('recorded');
    });

    it('is found by the number that the seller gave it', async (opened) => {
      await sell(opened, { orderNumber: ' R-2026-117 ' });
      await sell(opened, { orderNumber: ' ', newCustomer: { name: 'Jo', email: 'jo@example.com' } });
      const numbers = async (text: string) =>
        (await searchPurchases(opened, { text })).map(({ orderNumber }) => orderNumber);
      expect(await numbers('')).toEqual([null, 'R-2026-117']);
      expect(await numbers('r-2026')).toEqual(['R-2026-117']);
    });

    it('of a product without files gets them as soon as there are some', async (opened) => {
      const { stores, shop } = opened;
      const { products } = stores;
      const added = await createProduct(opened, shop.orgId, { name: 'Keys', slug: 'keys' });
      const productId = added.kind === 'created' ? added.product.id : '';
      const { linkId } = await sell(opened, { productId });
      expect((await stores.links.find(shop.orgId, linkId))?.version).toBe(null);
      const opening = await createVersion(opened, shop.orgId, productId, '1.0');
      const versionId = opening.kind === 'created' ? opening.version.id : '';
      const file = { name: 'keys.zip', size: 3, sha256: 'b'.repeat(64) };
      await products.putFile(shop.orgId, versionId, file);
      await activateVersion(opened, shop.orgId, productId, versionId);
      const page = await stores.links.find(shop.orgId, linkId);
      expect(page?.version).toEqual({ label: '1.0', files: [file] });
    });
  });

  describe('an expired subscription', () => {
    it('holds orders until it is renewed, which queues them again', async (opened) => {
      const { stores, shop, clock } = opened;
      await setSubscription(opened, shop.orgId, clock.now());
      const order = makeOrder(shop);
      const { id } = await recordOrder(opened, order);
      const held = await fulfilOrder(opened, order, { id, attempts: 0 });
      expect(held.delivery).toMatchObject({ status: 'held', heldFor: 'subscription' });
      expect(await opened.queuedJobs()).toEqual([]);
      expect(await setSubscription(opened, shop.orgId, null)).toEqual({
        kind: 'set',
        released: 1,
      });
      const release = { kind: 'subscription' } as const;
      const startAfter = clock.now();
      expect(await opened.queuedJobs()).toEqual([
        { kind: 'release-entries', orgId: shop.orgId, release, startAfter },
      ]);
      await opened.dropJobs(await opened.queuedJobs());
      await stores.openDeliveries.releaseNext(shop.orgId, release, { at: startAfter, limit: 9 });
      expect(await opened.queuedJobs()).toEqual([
        { kind: 'fulfil-delivery', orgId: shop.orgId, deliveryId: id, attempts: 1, startAfter },
      ]);
      const released = await fulfilOrder(opened, order, { id, attempts: 1 });
      expect(released.delivery).toMatchObject({ status: 'pending', heldFor: null });
      expect(await collect(stores.purchases.list(shop.orgId))).toHaveLength(1);
      expect(await setSubscription(opened, shop.orgId, null)).toEqual({
        kind: 'set',
        released: 0,
      });
    });

    it('that is renewed while an order is being decided is seen by the commit', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      await setSubscription(opened, shop.orgId, clock.now());
      const order = makeOrder(shop);
      const { id } = await recordOrder(opened, order);
      const known = await stores.fulfilment.loadSnapshot(order);
      const plan = decideFulfilment(order, known, { id, attempts: 0 }, clock.now(), ids);
      await setSubscription(opened, shop.orgId, null);
      expect(await stores.fulfilment.commit(plan)).toBe('changed-meanwhile');
    });
  });
}
