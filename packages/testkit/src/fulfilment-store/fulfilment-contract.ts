import type { DeliveryRecording, OrderSnapshot } from '@handover/domain';
import { opening, type TestRunner } from '../runner.ts';
import { makeLine } from '../samples.ts';
import {
  type CreateFulfilmentStore,
  decide,
  entryOf,
  fulfil,
  KEYS,
  LUMEN,
  MIRA,
  type OpenedStore,
  OTHER_CONNECTION,
  OTHER_PADS,
  openStore,
  orderOf,
  PADS,
  planOf,
  record,
} from './harness.ts';

/** Entries and decisions: what `record`, `find`, `loadSnapshot` and `commit` of a FulfilmentStore must do. */
export function fulfilmentContract(runner: TestRunner, create: CreateFulfilmentStore): void {
  const { describe, it, expect } = opening(runner, () => openStore('fulfilmentContract', create));

  describe('an entry of the log', () => {
    it('is stored byte by byte, with its headers and its note', async ({ store, ids, clock }) => {
      const order = orderOf();
      const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x00, 0xff, 0x5c, 0x2f, 0x7d, 0x0a]);
      const delivery = entryOf(order, { clock, ids });
      const body = { id: delivery.bodyId, bytes, headers: { 'x-topic': 'orders/paid' } };
      const recording = { orgId: order.orgId, body, deliveries: [delivery], jobs: [], proof: null };
      expect(await store.record({ ...recording, rejectedId: null })).toBe('recorded');
      const found = await store.find(order.orgId, delivery.id);
      expect(found?.body && { ...found, body: { ...found.body, bytes: [...found.body.bytes] } }).toEqual({
        ...delivery,
        attempts: 0,
        body: { ...body, bytes: [...bytes] },
      });
    });

    it('is stored with all other entries of its request', async ({ store, ids, clock }) => {
      const body = { id: ids.next(), bytes: new Uint8Array([91, 93]), headers: {} };
      const deliveries = ['1', '2', '3'].map((orderId) => ({
        ...entryOf(orderOf({ orderId }), { clock, ids }),
        bodyId: body.id,
      }));
      const plain = { jobs: [], proof: null, rejectedId: null };
      await store.record({ orgId: LUMEN.id, body, deliveries, ...plain });
      const found = await Promise.all(deliveries.map(({ id }) => store.find(LUMEN.id, id)));
      expect(found.map((entry) => [entry?.orderId, entry?.body?.id])).toEqual(
        ['1', '2', '3'].map((orderId) => [orderId, body.id]),
      );
    });

    it('is unknown to another organisation', async (opened) => {
      const { id } = await record(opened, orderOf());
      expect(await opened.store.find(MIRA.id, id)).toBe(null);
      expect(await opened.store.find(LUMEN.id, 'nonsense')).toBe(null);
    });

    it('is recorded with a proof that was used before with another body only if the store allows it', async (opened) => {
      const whenReused = { kind: 'refuse', reason: 'It was used.' } as const;
      const first = await tryToRecord(opened, { proof: { fingerprint: 'a', bodySha256: 'b', whenReused } });
      const reused = await tryToRecord(opened, { proof: { fingerprint: 'a', bodySha256: 'c', whenReused } });
      expect(first.answer === 'recorded').toBe(first.isKept);
      // A store that keeps no proofs refuses both, any other store only the second one.
      expect([reused.answer, reused.isKept]).toEqual([first.isKept ? 'reused' : 'rejects', false]);
    });

    it('of a rejected request is not recorded if that request is not there', async (opened) => {
      const { answer, isKept } = await tryToRecord(opened, { rejectedId: opened.ids.next() });
      expect([answer === 'gone' || answer === 'rejects', isKept]).toEqual([true, false]);
    });
  });

  describe('the snapshot of an order', () => {
    it('has its products, by slug or id in any case, and no others', async ({ store }) => {
      const load = async (sku: string) => {
        const known = await store.loadSnapshot(orderOf({ lines: [makeLine(sku)] }));
        return known.products.map(({ name }) => name);
      };
      expect(await load('PADS')).toEqual(['Pads']);
      expect(await load(` ${KEYS.id.toUpperCase()} `)).toEqual(['Keys']);
      expect(await load('unknown')).toEqual([]);
      expect(await load(OTHER_PADS.id)).toEqual([]);
    });

    it('has no product whose slug is the vendor’s id', async ({ store }) => {
      const line = makeLine('PADS', { candidates: [{ kind: 'vendor-id', value: 'pads' }] });
      expect((await store.loadSnapshot(orderOf({ lines: [line] }))).products).toEqual([]);
    });

    it('has the currency of its shop, and the end of its subscription', async ({ store, putShop }) => {
      const plain = await store.loadSnapshot(orderOf());
      expect([plain.defaultCurrency, plain.subscriptionExpiresAt]).toEqual([null, null]);
      const subscriptionExpiresAt = new Date('2027-05-06T07:08:09.000Z');
      await putShop({ ...LUMEN, defaultCurrency: 'CHF', subscriptionExpiresAt });
      const { defaultCurrency, subscriptionExpiresAt: end } = await store.loadSnapshot(orderOf());
      expect([defaultCurrency, end?.toISOString()]).toEqual(['CHF', subscriptionExpiresAt.toISOString()]);
    });

    it('has the mappings of its SKUs, for its platform and for all', async ({ store, putShop }) => {
      await putShop({
        ...LUMEN,
        mappings: [
          { sku: 'one', platform: 'storefront-a', productId: PADS.id },
          { sku: 'two', platform: null, productId: KEYS.id },
          { sku: 'three', platform: 'storefront-b', productId: KEYS.id },
          { sku: 'four', platform: null, productId: null },
        ],
      });
      const lines = ['ONE', ' Two ', 'three'].map((sku) => makeLine(sku));
      const { mappings, products } = await store.loadSnapshot(orderOf({ lines }));
      expect([...mappings].sort((a, b) => (a.sku < b.sku ? -1 : 1))).toEqual([
        { sku: 'one', platform: 'storefront-a', productId: PADS.id },
        { sku: 'two', platform: null, productId: KEYS.id },
      ]);
      expect(products.map(({ name }) => name).sort()).toEqual(['Keys', 'Pads']);
    });

    it('has its earlier purchases with their receipt and customer', async (opened) => {
      const before = await opened.store.loadSnapshot(orderOf());
      expect([before.customer, before.purchases]).toEqual([null, []]);
      const plan = await fulfil(opened, orderOf());
      const known = await opened.store.loadSnapshot(orderOf());
      expect(known.customer).toEqual({ id: plan.customer?.id });
      expect(known.purchases).toMatchObject([
        {
          ...{ id: plan.purchases[0]?.id, productId: PADS.id },
          purchaseAliases: [{ candidate: 'sku', sku: 'pads' }],
          receipt: { id: plan.receipt?.id, status: 'pending', attempts: 0 },
        },
      ]);
    });

    it('has the product that was bought, even if its names match another one now', async (opened) => {
      const order = orderOf({ lines: [makeLine('pack')] });
      const pack = { sku: 'pack', platform: null, productId: PADS.id };
      await opened.putShop({ ...LUMEN, mappings: [pack] });
      await fulfil(opened, order);
      await opened.putShop(LUMEN);
      const { mappings, products } = await opened.store.loadSnapshot(order);
      expect([mappings, products.map(({ name }) => name)]).toEqual([[], ['Pads']]);
    });

    it('has every name under which a product was bought', async (opened) => {
      await fulfil(opened, orderOf());
      await fulfil(opened, orderOf({ lines: [makeLine(PADS.id)] }));
      const { purchases } = await opened.store.loadSnapshot(orderOf());
      const names = purchases.map(({ purchaseAliases = [] }) => purchaseAliases.map(({ sku }) => sku).sort());
      expect(names).toEqual([[PADS.id, 'pads'].sort()]);
    });

    it('has nothing of another organisation, nor of an order with the same number elsewhere', async (opened) => {
      await fulfil(opened, orderOf());
      const others = [
        orderOf({}, MIRA),
        orderOf({ connectionId: OTHER_CONNECTION }),
        orderOf({ orderId: '2' }),
      ];
      for (const order of others) expect((await opened.store.loadSnapshot(order)).purchases).toEqual([]);
      expect((await opened.store.loadSnapshot(orderOf({}, MIRA))).customer).toBe(null);
    });
  });

  describe('a plan', () => {
    it('is committed completely', async (opened) => {
      const { id } = await record(opened, orderOf({ test: true }));
      const plan = await decide(opened, orderOf({ test: true }), id);
      expect(plan.purchases).toHaveLength(1);
      expect(await opened.store.find(LUMEN.id, id)).toMatchObject({
        ...{ status: 'pending', reason: null, note: 'Test order.', attempts: 1 },
      });
    });

    it('records why its entry failed', async (opened) => {
      const { delivery } = await fulfil(opened, orderOf({ lines: [makeLine('unknown')] }));
      expect((delivery.reason ?? '').length > 0).toBe(true);
      const { status, reason } = delivery;
      expect(await opened.store.find(LUMEN.id, delivery.id)).toMatchObject({ status, reason });
    });

    it('puts its own note after the note from the request', async (opened) => {
      const { store } = opened;
      const order = orderOf({ test: true });
      const delivery = entryOf(order, opened);
      const body = { id: delivery.bodyId, bytes: new Uint8Array(), headers: {} };
      const plain = { jobs: [], proof: null, rejectedId: null };
      await store.record({ orgId: order.orgId, body, deliveries: [delivery], ...plain });
      await decide(opened, order, delivery.id);
      expect((await store.find(LUMEN.id, delivery.id))?.note).toBe('Noted as it came. Test order.');
    });

    it('sells an order once when twenty plans for it are decided at once', async (opened) => {
      const plans = await Promise.all(Array.from({ length: 20 }, () => fulfil(opened, orderOf())));
      expect(plans.filter(({ purchases }) => purchases.length > 0)).toHaveLength(1);
      expect((await opened.store.loadSnapshot(orderOf())).purchases).toHaveLength(1);
    });

    it('creates one customer for an address in any spelling, also at once', async (opened) => {
      const orders = ['ANA@example.com', 'ana@Example.com', 'ana@example.com'].map((email, at) =>
        orderOf({ orderId: `${at}`, customer: { email, name: 'Ana' } }),
      );
      const plans = await Promise.all(orders.map((order) => fulfil(opened, order)));
      expect(plans.filter(({ customer }) => customer !== null)).toHaveLength(1);
      const known = await Promise.all(orders.map((order) => opened.store.loadSnapshot(order)));
      expect(new Set(known.map(({ customer }) => customer?.id)).size).toBe(1);
    });

    it('is refused as a whole when the catalogue has changed since', async (opened) => {
      const late = await planOf(opened, orderOf());
      await opened.putShop({ ...LUMEN, products: [] });
      expect(await opened.store.commit(late.plan)).toBe('changed-meanwhile');
      await expectNothing(opened, late.id);
    });

    it('is refused as a whole when more of its order was bought since', async (opened) => {
      const both = orderOf({ lines: [makeLine('PADS'), makeLine('KEYS')] });
      const late = await planOf(opened, both);
      await fulfil(opened, orderOf({ customer: { email: 'ben@example.com', name: 'Ben' } }));
      expect(await opened.store.commit(late.plan)).toBe('changed-meanwhile');
      // Unique keys keep it from being sold twice, whatever the plan expects.
      const expectedVersions = { ...late.plan.expectedVersions, bought: null };
      expect(await opened.store.commit({ ...late.plan, expectedVersions })).toBe('changed-meanwhile');
      expect(await opened.store.find(LUMEN.id, late.id)).toMatchObject({ status: 'pending', attempts: 0 });
      const known = await opened.store.loadSnapshot(both);
      expect([known.customer, known.purchases.length]).toEqual([null, 1]);
    });

    it('is refused as a whole when its entry does not have the expected status', async (opened) => {
      const { id, plan } = await planOf(opened, orderOf());
      const expectedVersions = { ...plan.expectedVersions, status: 'error' } as const;
      expect(await opened.store.commit({ ...plan, expectedVersions })).toBe('changed-meanwhile');
      await expectNothing(opened, id);
    });

    it('is answered by decided-meanwhile once its entry was decided, whatever else has changed', async (opened) => {
      const late = await planOf(opened, orderOf({ lines: [makeLine('unknown')] }));
      expect(await opened.store.commit(late.plan)).toBe('committed');
      expect(await opened.store.commit(late.plan)).toBe('decided-meanwhile');
      await opened.putShop({ ...LUMEN, products: [] });
      expect(await opened.store.commit(late.plan)).toBe('decided-meanwhile');
      expect(await opened.store.find(LUMEN.id, late.id)).toMatchObject({ status: 'error', attempts: 1 });
    });
  });

  /** A store may refuse the whole recording if it contains more than an order. */
  async function tryToRecord(
    { store, clock, ids }: OpenedStore,
    more: Partial<Pick<DeliveryRecording, 'proof' | 'rejectedId'>>,
  ) {
    const order = orderOf();
    const delivery = entryOf(order, { clock, ids });
    const body = { id: delivery.bodyId, bytes: new Uint8Array(), headers: {} };
    const plain = {
      orgId: order.orgId,
      body,
      deliveries: [delivery],
      jobs: [],
      proof: null,
      rejectedId: null,
    };
    const answer = await store.record({ ...plain, ...more }).catch(() => 'rejects');
    return { answer, isKept: (await store.find(order.orgId, delivery.id)) !== null };
  }

  async function expectNothing({ store }: OpenedStore, deliveryId: string): Promise<void> {
    const known: OrderSnapshot = await store.loadSnapshot(orderOf());
    expect([known.customer, known.purchases]).toEqual([null, []]);
    expect(await store.find(LUMEN.id, deliveryId)).toMatchObject({ status: 'pending', attempts: 0 });
  }
}
