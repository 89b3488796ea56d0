import {
  type Candidate,
  type DeliveryQuery,
  decideFulfilment,
  mapSku,
  type OrderSnapshot,
} from '@handover/domain';
import { emailJob } from '../complete-emails.ts';
import { makeLine, makeOrder, openShop, publishProduct, recordOrder } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';
import { fulfil, setStatus } from './shop-actions.ts';

/** The webhook log, snapshots and commits. */
export function fulfilmentContract({ describe, it, expect }: StoresRunner): void {
  describe('the webhook log', () => {
    it('keeps a delivery byte-exact, with its job', async (opened) => {
      const { stores, shop, ids, clock } = opened;
      const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x00, 0xff, 0x5c, 0x2f, 0x7d, 0x0a]);
      const body = { id: ids.next(), bytes, headers: { 'x-topic': 'orders/paid' } };
      const delivery = {
        id: ids.next(),
        orgId: shop.orgId,
        platform: 'storefront-a',
        connectionId: shop.connection.id,
        bodyId: body.id,
        orderId: '1',
        orderNumber: '#1',
        normalizedEmail: 'ana@example.com',
        receivedAt: clock.now(),
        status: 'pending',
        reason: null,
        note: null,
      } as const;
      const startAfter = new Date(clock.now().getTime() + 60_000);
      const job = {
        kind: 'fulfil-delivery',
        orgId: shop.orgId,
        deliveryId: delivery.id,
        attempts: 0,
        startAfter,
      } as const;
      const plain = { proof: null, rejectedId: null };
      const recording = { orgId: shop.orgId, body, deliveries: [delivery], jobs: [job], ...plain };
      expect(await stores.deliveries.record(recording)).toBe('recorded');
      const found = await stores.deliveries.find(shop.orgId, delivery.id);
      expect(found?.body && { ...found, body: { ...found.body, bytes: [...found.body.bytes] } }).toEqual({
        ...delivery,
        attempts: 0,
        body: { ...body, bytes: [...bytes] },
      });
      expect(await opened.queuedJobs()).toEqual([job]);
    });

    it('lists entries newest first with their lines, by status and platform, a page at a time', async (opened) => {
      const { stores, shop } = opened;
      const ids: string[] = [];
      for (const [at, sku] of ['PADS', 'nobody-knows', 'PADS'].entries()) {
        const order = makeOrder(shop, { orderId: `${at}`, lines: [makeLine(sku), makeLine('other')] });
        ids.unshift((await fulfil(opened, order)).delivery.id);
      }
      const all = { status: null, platform: null, before: null, limit: 10 };
      const list = async (query: Partial<DeliveryQuery>) =>
        (await stores.deliveries.list(shop.orgId, { ...all, ...query })).map(({ id }) => id);
      expect(await list({})).toEqual(ids);
      expect(await list({ limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await list({ before: ids[0] ?? '' })).toEqual(ids.slice(1));
      expect(await list({ status: 'error' })).toEqual([ids[1]]);
      expect(await list({ platform: 'cart-a' })).toEqual([]);
      const [row] = await stores.deliveries.list(shop.orgId, { ...all, status: 'error' });
      expect(row).toMatchObject({
        orgId: shop.orgId,
        platform: 'storefront-a',
        orderId: '1',
        status: 'error',
        note: null,
        lines: [
          { position: 0, sku: 'nobody-knows', outcome: 'unmatched', productId: null, purchaseId: null },
          { position: 1, sku: 'other', outcome: 'unmatched' },
        ],
      });
      expect(await stores.deliveries.show(shop.orgId, ids[1] ?? '')).toEqual(row);
    });

    it('shows an entry to no other organisation', async (opened) => {
      const { stores, shop } = opened;
      const other = await openShop(opened, 'Other');
      const delivery = await recordOrder(opened, makeOrder(shop));
      expect(await stores.deliveries.find(other.orgId, delivery.id)).toBe(null);
      expect(await stores.deliveries.find(shop.orgId, 'nonsense')).toBe(null);
      expect(await stores.deliveries.show(other.orgId, delivery.id)).toBe(null);
      expect(await stores.deliveries.show(shop.orgId, 'nonsense')).toBe(null);
      const all = { status: null, platform: null, before: null, limit: 10 };
      expect(await stores.deliveries.list(other.orgId, all)).toEqual([]);
    });
  });

  describe('fulfilment', () => {
    it('makes customer, purchase, link, pending receipt and its job in one step, and ends the delivery’s own job', async (opened) => {
      const { stores, shop, clock } = opened;
      const plan = await fulfil(opened, makeOrder(shop));
      expect(plan.delivery.status).toBe('pending');
      const [row, ...more] = await collect(stores.purchases.list(shop.orgId));
      expect(more).toEqual([]);
      expect(row).toEqual({
        id: plan.purchases[0]?.id,
        orgId: shop.orgId,
        customerId: plan.customer?.id,
        customerName: 'Ana Lima',
        customerEmail: 'ana@example.com',
        productId: shop.product.id,
        productName: 'Pads',
        productSlug: 'pads',
        amount: '49.00',
        currency: 'EUR',
        paymentMethod: 'storefront-a',
        source: 'storefront-a',
        orderId: '5001',
        createdAt: clock.now(),
        linkId: plan.links[0]?.id,
        downloadExpiresAt: new Date(clock.now().getTime() + 48 * 60 * 60 * 1000),
        downloadUsedAt: null,
        receiptSentAt: null,
        isTest: false,
      });
      const receiptId = plan.receipt?.id ?? '';
      expect(await opened.queuedJobs()).toEqual([emailJob('receipt', shop.orgId, receiptId, clock.now())]);
    });

    it('keeps every digit of an amount', async (opened) => {
      const amount = '12345678901234567890.123456700';
      await fulfil(opened, makeOrder(opened.shop, { lines: [makeLine('PADS', { amount })] }));
      const [row] = await collect(opened.stores.purchases.list(opened.shop.orgId));
      expect(row?.amount).toBe(amount);
    });

    it('makes one purchase of twenty deliveries of one order at once', async (opened) => {
      const order = makeOrder(opened.shop);
      const plans = await Promise.all(Array.from({ length: 20 }, () => fulfil(opened, order)));
      expect(plans.filter(({ purchases }) => purchases.length > 0)).toHaveLength(1);
      expect(await collect(opened.stores.purchases.list(opened.shop.orgId))).toHaveLength(1);
      const jobs = await opened.queuedJobs();
      expect(jobs.map(({ kind }) => kind)).toEqual(['send-email']);
    });

    it('makes one customer of two first orders at once, in whatever spelling', async (opened) => {
      const { shop } = opened;
      const orders = ['ANA@example.com', 'ana@Example.com', 'ana@example.com'].map((email, at) =>
        makeOrder(shop, { orderId: `${at}`, customer: { email, name: 'Ana' } }),
      );
      await Promise.all(orders.map((order) => fulfil(opened, order)));
      const rows = await collect(opened.stores.purchases.list(shop.orgId));
      expect(rows).toHaveLength(3);
      expect(new Set(rows.map(({ customerId }) => customerId)).size).toBe(1);
    });

    it('tells orders of the same number apart by connection and by organisation', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const other = await openShop(opened, 'Other');
      await stores.connections.replaceSecret({
        orgId: shop.orgId,
        platform: 'storefront-a',
        name: 'second shop',
        connectionId: ids.next(),
        secretId: ids.next(),
        secret: 'second-secret',
        now: clock.now(),
        formerUntil: clock.now(),
      });
      const connections = (await stores.connections.list(shop.orgId, 'storefront-a', clock.now())) ?? [];
      for (const connection of connections)
        await fulfil(opened, makeOrder({ orgId: shop.orgId, connection }));
      await fulfil(opened, makeOrder(other));
      expect(await collect(stores.purchases.list(shop.orgId))).toHaveLength(2);
      expect(await collect(stores.purchases.list(other.orgId))).toHaveLength(1);
    });

    it('recalls mappings for the order’s platform and for all, but not for another', async (opened) => {
      const { stores, shop } = opened;
      const { product } = await publishProduct(opened, shop.orgId, 'Keys');
      const map = (sku: string, platform: 'storefront-a' | 'storefront-b' | null) =>
        mapSku(stores, shop.orgId, { sku, platform, productId: product.id });
      await map(' One ', 'storefront-a');
      await map('two', null);
      await map('three', 'storefront-b');
      const lines = ['ONE', 'TWO', 'THREE'].map((sku) => makeLine(sku));
      const known = await stores.fulfilment.loadSnapshot(makeOrder(shop, { lines }));
      expect(known.mappings.map(({ sku, platform }) => [sku, platform]).sort()).toEqual([
        ['one', 'storefront-a'],
        ['two', null],
      ]);
      expect(known.products).toEqual([
        {
          id: product.id,
          name: 'Keys',
          slug: 'keys',
          status: 'published',
          activeVersionId: product.activeVersionId,
        },
      ]);
    });

    it('recalls a product by its id, in whatever case, and never that of another organisation', async (opened) => {
      const { shop, stores } = opened;
      const other = await openShop(opened, 'Other');
      const loadSnapshot = async (candidate: Candidate) => {
        const lines = [{ ...makeLine(''), candidates: [candidate] }];
        const known = await stores.fulfilment.loadSnapshot(makeOrder(shop, { lines }));
        return known.products.map(({ id }) => id);
      };
      const value = ` ${shop.product.id.toUpperCase()} `;
      expect(await loadSnapshot({ kind: 'sku', value })).toEqual([shop.product.id]);
      expect(await loadSnapshot({ kind: 'vendor-id', value })).toEqual([]);
      expect(await loadSnapshot({ kind: 'sku', value: other.product.id })).toEqual([]);
    });

    it('refuses a plan when the catalogue has changed since, and applies nothing of it', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const order = makeOrder(shop);
      const delivery = await recordOrder(opened, order);
      const known = await stores.fulfilment.loadSnapshot(order);
      const plan = decideFulfilment(order, known, { id: delivery.id, attempts: 0 }, clock.now(), ids);
      await setStatus(opened, 'draft');
      expect(await stores.fulfilment.commit(plan)).toBe('changed-meanwhile');
      expect(await collect(stores.purchases.list(shop.orgId))).toEqual([]);
      expect((await stores.fulfilment.loadSnapshot(order)).customer).toBe(null);
      expect((await stores.deliveries.find(shop.orgId, delivery.id))?.attempts).toBe(0);
      expect((await opened.queuedJobs()).map(({ kind }) => kind)).toEqual(['fulfil-delivery']);
    });

    it('answers that an entry was decided meanwhile, whatever else has changed, and applies nothing', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const order = makeOrder(shop, { lines: [makeLine('unknown')] });
      const delivery = await recordOrder(opened, order);
      const known = await stores.fulfilment.loadSnapshot(order);
      const plan = decideFulfilment(order, known, { id: delivery.id, attempts: 0 }, clock.now(), ids);
      expect(await stores.fulfilment.commit(plan)).toBe('committed');
      expect(await stores.fulfilment.commit(plan)).toBe('decided-meanwhile');
      await publishProduct(opened, shop.orgId, 'Unknown');
      expect(await stores.fulfilment.commit(plan)).toBe('decided-meanwhile');
      const found = await stores.deliveries.find(shop.orgId, delivery.id);
      expect(found).toMatchObject({ status: 'error', attempts: 1 });
    });

    it('refuses a plan when anything more of its order was bought since, and applies nothing of it', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      await publishProduct(opened, shop.orgId, 'Keys');
      const order = makeOrder(shop, { lines: [makeLine('PADS')] });
      const delivery = await recordOrder(opened, order);
      const known = await stores.fulfilment.loadSnapshot(order);
      const decide = (changes: Partial<OrderSnapshot>) =>
        decideFulfilment(order, { ...known, ...changes }, { id: delivery.id, attempts: 0 }, clock.now(), ids);
      // The subscription expires between the two. Like purchases, this does not change the revision.
      const held = decide({ subscriptionExpiresAt: clock.now() });
      expect(held.delivery).toMatchObject({ status: 'held', heldFor: 'subscription' });
      await fulfil(opened, makeOrder(shop, { lines: [makeLine('KEYS')] }));
      for (const plan of [held, decide({ customer: null })]) {
        expect(await stores.fulfilment.commit(plan)).toBe('changed-meanwhile');
      }
      expect(await stores.deliveries.find(shop.orgId, delivery.id)).toMatchObject({ attempts: 0 });
      const other = makeOrder(shop, { orderId: 'other' });
      const { id } = await recordOrder(opened, other);
      const asWell = await stores.fulfilment.loadSnapshot(other);
      const plan = decideFulfilment(other, asWell, { id, attempts: 0 }, clock.now(), ids);
      expect(await stores.fulfilment.commit(plan)).toBe('committed');
    });

    it('takes an order of very many lines', async (opened) => {
      const lines = Array.from({ length: 20_000 }, (_, at) =>
        makeLine(at % 2 === 0 ? 'PADS' : `unknown-${at}`),
      );
      const plan = await fulfil(opened, makeOrder(opened.shop, { lines }));
      expect(plan.delivery.lines).toHaveLength(20_000);
      expect(await collect(opened.stores.purchases.list(opened.shop.orgId))).toHaveLength(1);
    });
  });
}
