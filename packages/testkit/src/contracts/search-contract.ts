import {
  ALL_PURCHASES,
  AUTOMATIC,
  correctAddress,
  mapSku,
  type PurchaseQuery,
  revokePurchase,
  SHARED_PLATFORM,
} from '@handover/domain';
import { BY_JANA, makeLine, makeOrder, openShop, publishProduct } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, makeLines, searchPurchases, sell, sellByOrder } from './shop-actions.ts';

/** Searching purchases and customers. */
export function searchContract({ describe, it, expect }: StoresRunner): void {
  describe('a customer', () => {
    it('is found by id and by address, in any spelling, in its organisation alone', async (fresh) => {
      const opened = await openSales(fresh);
      const { stores, shop } = opened;
      const other = await openShop(opened, 'Other');
      const [bought] = await searchPurchases(opened, { limit: 1 });
      const customerId = bought?.customerId ?? '';
      const found = await stores.customers.find(shop.orgId, customerId);
      expect(found).toMatchObject({
        id: customerId,
        email: bought?.customerEmail,
        name: bought?.customerName,
      });
      const spelled = ` ${found?.email.toUpperCase()}`;
      expect(await stores.customers.findByEmail(shop.orgId, spelled)).toEqual(found);
      expect(await stores.customers.find(other.orgId, customerId)).toBe(null);
      expect(await stores.customers.findByEmail(other.orgId, spelled)).toBe(null);
      expect(await stores.customers.find(shop.orgId, opened.ids.next())).toBe(null);
      expect(await stores.customers.find(shop.orgId, 'nonsense')).toBe(null);
    });
  });

  describe('a search of purchases', () => {
    it('without words lists all, newest first, a page at a time', async (fresh) => {
      const opened = await openSales(fresh);
      const all = await searchPurchases(opened, {});
      expect(all.map(({ orderId }) => orderId)).toEqual(['9003', '9002', '9001']);
      const first = await searchPurchases(opened, { limit: 2 });
      const rest = await searchPurchases(opened, { limit: 2, before: first[1]?.id ?? null });
      expect([...first, ...rest]).toEqual(all);
      expect(await searchPurchases(opened, { before: opened.ids.next() })).toEqual([]);
      expect(await opened.stores.purchases.count(opened.shop.orgId)).toBe(3);
      const { purchases } = opened.stores;
      expect(await purchases.countOfProduct(opened.shop.orgId, opened.shop.product.id)).toBe(2);
    });

    it('keeps to a period, its end excluded, whatever else is asked for', async (fresh) => {
      const opened = await openSales(fresh);
      const [third, second, first] = (await searchPurchases(opened, {})).map(({ createdAt }) => createdAt);
      const within = async (from: Date | undefined, until: Date | undefined, text = '') => {
        const period = { from: from ?? null, until: until ?? null };
        return (await searchPurchases(opened, { period, text })).map(({ orderId }) => orderId);
      };
      expect(await within(second, undefined)).toEqual(['9003', '9002']);
      expect(await within(first, third)).toEqual(['9002', '9001']);
      expect(await within(undefined, second)).toEqual(['9001']);
      expect(await within(undefined, third, 'ana')).toEqual(['9001']);
      expect(await within(second, undefined, 'ana')).toEqual([]);
    });

    it('finds names, addresses, order numbers, products and SKUs, by how they begin', async (fresh) => {
      const opened = await openSales(fresh);
      const mapping = { sku: 'TAPE 7', platform: null, productId: opened.shop.product.id };
      await mapSku(opened, opened.shop.orgId, mapping);
      const finds: Readonly<Record<string, readonly string[]>> = {
        ana: ['9001'],
        'lima ANA': ['9001'],
        'ana.lima@ex': ['9001'],
        'ana.lma@': [],
        Øyvind: ['9002'],
        øyv: ['9002'],
        oyvind: ['9002'],
        'example.org': ['9003'],
        // The accent is a character of its own, and no part of a word.
        'o reed': ['9003'],
        '#10': ['9002', '9001'],
        '1001': ['9001'],
        '900': ['9003', '9002', '9001'],
        '100%': [],
        keys: ['9003'],
        'tape 7': ['9002', '9001'],
        tape: [],
        "'; drop table purchases; --": [],
        '&|!:*()': [],
        '\0': [],
        '#1001\0': [],
      };
      for (const [text, orders] of Object.entries(finds)) {
        const found = await searchPurchases(opened, { text });
        expect([text, ...found.map(({ orderId }) => orderId)]).toEqual([text, ...orders]);
      }
    });

    it('narrows by product, customer, source and receipt', async (fresh) => {
      const opened = await openSales(fresh);
      const [newest] = await searchPurchases(opened, {});
      if (!newest) throw new Error('There is no purchase.');
      const { productId, customerId } = newest;
      expect(await searchPurchases(opened, { productId })).toEqual([newest]);
      expect(await searchPurchases(opened, { customerId })).toEqual([newest]);
      expect(await searchPurchases(opened, { source: 'api' })).toEqual([]);
      expect(await searchPurchases(opened, { source: 'storefront-a' })).toHaveLength(3);
      expect(await searchPurchases(opened, { receipt: 'refused' })).toEqual([]);
      expect(await searchPurchases(opened, { receipt: 'pending' })).toHaveLength(3);
      expect(newest).toMatchObject({ receiptStatus: 'pending', revokedAt: null, orderNumber: 'FS-7' });
    });

    it('names the shop of an order, and finds the end of a long id that its mails show', async (opened) => {
      await sellByOrder(opened, { orderId: '9004' });
      await sell(opened, { newCustomer: { name: 'Jo', email: 'jo@example.com' } });
      const shared = { platform: SHARED_PLATFORM, orderId: 'cs_live_a1B2c3D4', orderNumber: 'pi_77' };
      await fulfil(opened, makeOrder(opened.shop, shared));
      const shops = await searchPurchases(opened, {});
      expect(shops.map(({ connectionName }) => connectionName)).toEqual(['main', null, 'main']);
      const ids = async (text: string) =>
        (await searchPurchases(opened, { text })).map(({ orderId }) => orderId);
      expect(await ids('b2C3d4')).toEqual(['cs_live_a1B2c3D4']);
      expect(await ids('c3d4')).toEqual([]);
    });

    it('adds up all that match, exactly, by currency', async (fresh) => {
      const opened = await openSales(fresh);
      const { stores, shop } = opened;
      for (const [orderId, amount, currency] of [
        ['1', '0.1', 'USD'],
        ['2', '0.20', 'USD'],
        ['3', '5', null],
      ] as const) {
        const order = makeOrder(shop, {
          orderId,
          orderNumber: orderId,
          lines: [{ ...makeLine('PADS'), amount }],
          currency,
        });
        await fulfil(opened, order);
      }
      const all = { text: '', productId: null, customerId: null, source: null, receipt: null };
      const sum = (filter: Partial<PurchaseQuery>, orgId = shop.orgId) =>
        stores.purchases.sum(orgId, { ...all, ...filter });
      const euros = { currency: 'EUR', purchases: 3, amount: '147.00' };
      const dollars = { currency: 'USD', purchases: 2, amount: '0.30' };
      expect(await sum({})).toEqual([euros, dollars, { currency: null, purchases: 1, amount: '5' }]);
      expect(await sum({ text: 'felt' })).toEqual([{ ...euros, purchases: 1, amount: '49.00' }]);
      expect(await sum({ text: '#1001' })).toEqual([{ ...euros, purchases: 1, amount: '49.00' }]);
      expect(await sum({ period: { from: null, until: new Date(0) } })).toEqual([]);
      expect(await sum({ productId: 'x' })).toEqual([]);
      expect(await sum({}, (await openShop(opened, 'Other')).orgId)).toEqual([]);
    });

    it('adds up what is revoked, and not what only got another link', async (fresh) => {
      const opened = await openSales(fresh);
      const { clock, shop, stores } = opened;
      const [third, second, first] = (await searchPurchases(opened, {})).map(({ id }) => id);
      await revokePurchase(opened, shop.orgId, first ?? '', BY_JANA);
      clock.advance(1000);
      const { customerEmail } = (await stores.purchases.show(shop.orgId, second ?? '')) ?? {};
      const asked = { by: BY_JANA, seen: customerEmail ?? '' };
      await correctAddress(opened, shop.orgId, second ?? '', 'other@example.com', asked);
      const filter = { text: '', productId: null, customerId: null, source: null, receipt: null };
      const sum = (orgId = shop.orgId) => stores.purchases.sum(orgId, { ...filter, isRevoked: true });
      expect(await sum()).toEqual([{ currency: 'EUR', purchases: 1, amount: '49.00' }]);
      await revokePurchase(opened, shop.orgId, third ?? '', BY_JANA);
      expect(await sum()).toEqual([{ currency: 'EUR', purchases: 2, amount: '98.00' }]);
      expect(await sum((await openShop(opened, 'Other')).orgId)).toEqual([]);
    });

    it('adds up each product by currency, those bought most often first, with what is revoked of it', async (fresh) => {
      const opened = await openSales(fresh);
      const { shop, stores } = opened;
      const lines = [{ ...makeLine('pads'), amount: '10.5' }];
      await fulfil(opened, makeOrder(shop, { orderId: '9010', lines, currency: 'USD' }));
      const [newest] = await searchPurchases(opened, {});
      await revokePurchase(opened, shop.orgId, newest?.id ?? '', BY_JANA);
      const filter = { text: '', productId: null, customerId: null, source: null, receipt: null };
      const sums = (asked: Partial<PurchaseQuery> = {}, limit = 10, orgId = shop.orgId) =>
        stores.purchases.sumByProduct(orgId, { ...filter, ...asked }, limit);
      const none = { revoked: 0, revokedAmount: '0' };
      const pads = { productId: shop.product.id, productName: 'Pads' };
      const [felt] = await searchPurchases(opened, { text: 'felt' });
      const keys = { productId: felt?.productId ?? '', productName: 'Felt Keys' };
      const all = [
        { ...pads, currency: 'EUR', purchases: 2, amount: '98.00', ...none },
        { ...pads, currency: 'USD', purchases: 1, amount: '10.5', revoked: 1, revokedAmount: '10.5' },
        { ...keys, currency: 'EUR', purchases: 1, amount: '49.00', ...none },
      ];
      expect(await sums()).toEqual(all);
      expect(await sums({}, 2)).toEqual(all.slice(0, 2));
      expect(await sums({ text: 'felt' })).toEqual(all.slice(2));
      expect(await sums({ isRevoked: true })).toEqual(all.slice(1, 2));
      expect(await sums({ period: { from: null, until: new Date(0) } })).toEqual([]);
      expect(await sums({ productId: 'x' })).toEqual([]);
      expect(await sums({}, 10, (await openShop(opened, 'Other')).orgId)).toEqual([]);
    });

    it('finds what an order bought by its connection and its id, and what is revoked', async (fresh) => {
      const opened = await openSales(fresh);
      const { shop, clock } = opened;
      clock.advance(1000);
      const lines = [makeLine('pads'), makeLine('felt-keys')];
      await fulfil(opened, makeOrder(shop, { orderId: '9004', orderNumber: '#1004', lines }));
      const ofOrder = { connectionId: shop.connection.id, orderId: '9004' };
      const namesOf = async (query: Partial<PurchaseQuery>, where = opened) =>
        (await searchPurchases(where, query)).map(({ productName }) => productName).sort();
      expect(await namesOf({ ofOrder })).toEqual(['Felt Keys', 'Pads']);
      expect(await namesOf({ ofOrder, limit: 1 })).toHaveLength(1);
      expect(await namesOf({ ofOrder: { ...ofOrder, orderId: '900' } })).toEqual([]);
      expect(await namesOf({ ofOrder: { ...ofOrder, connectionId: opened.ids.next() } })).toEqual([]);
      expect(await namesOf({ ofOrder: { ...ofOrder, connectionId: 'x' } })).toEqual([]);
      expect(await namesOf({ ofOrder }, { ...opened, shop: await openShop(opened, 'Other') })).toEqual([]);
      const [bought] = await searchPurchases(opened, { ofOrder });
      await revokePurchase(opened, shop.orgId, bought?.id ?? '', BY_JANA);
      expect(await namesOf({ isRevoked: true })).toEqual([bought?.productName]);
      expect(await namesOf({ ofOrder, isRevoked: true })).toEqual([bought?.productName]);
    });

    it('finds what nobody opened or fetched yet, but for what is revoked', async (opened) => {
      const { stores, shop, clock } = opened;
      const sold = [];
      for (const orderId of ['1', '2', '3', '4']) sold.push(await sellByOrder(opened, { orderId }));
      const unopened = async () =>
        (await searchPurchases(opened, { isUnopened: true })).map(({ orderId }) => orderId).sort();
      expect(await unopened()).toEqual(['1', '2', '3', '4']);
      const [first, second, third] = sold;
      await stores.links.refresh(shop.orgId, first?.linkId ?? '', clock.now(), clock.now());
      await revokePurchase(opened, shop.orgId, second?.purchaseId ?? '', BY_JANA);
      const seen = { sessionId: null, at: clock.now() };
      await stores.sessions.complete(shop.orgId, third?.linkId ?? '', {
        ...seen,
        activity: {
          ...{ id: opened.ids.next(), at: clock.now(), kind: 'download-completed' },
          ...{ subjectId: third?.linkId ?? '', summary: 'Downloaded.', ...AUTOMATIC },
        },
      });
      expect(await unopened()).toEqual(['4']);
      sold.push(await sellByOrder(opened, { orderId: '5' }));
      expect(await unopened()).toEqual(['4', '5']);
      const request = { sessionId: opened.ids.next(), joining: null, client: 'browser' } as const;
      await stores.sessions.begin(shop.orgId, sold[4]?.linkId ?? '', { ...request, at: clock.now() });
      expect(await unopened()).toEqual(['4']);
      expect(
        await stores.purchases.countMatching(shop.orgId, { ...ALL_PURCHASES, isUnopened: true }, 9),
      ).toBe(1);
    });

    it('sees nothing of another organisation', async (fresh) => {
      const opened = await openSales(fresh);
      const other = await openShop(opened, 'Other');
      const elsewhere = { ...opened, shop: other };
      for (const text of ['', 'ana', '9001', 'keys'])
        expect(await searchPurchases(elsewhere, { text })).toEqual([]);
      expect(await searchPurchases(opened, { productId: 'x' })).toEqual([]);
      const { purchases } = opened.stores;
      expect(await purchases.count(other.orgId)).toBe(0);
      expect(await purchases.countOfProduct(other.orgId, opened.shop.product.id)).toBe(0);
      expect(await purchases.countOfProduct(other.orgId, 'x')).toBe(0);
    });
  });
}

async function openSales(opened: OpenedShop): Promise<OpenedShop> {
  await publishProduct(opened, opened.shop.orgId, 'Felt Keys');
  await sellTo(opened, '9001', '#1001', { name: 'Ana Lima', email: 'ana.lima@example.com' }, 'PADS');
  await sellTo(opened, '9002', '#1002', { name: 'Øyvind Å', email: 'oa@example.com' }, 'PADS');
  await sellTo(opened, '9003', 'FS-7', { name: 'Jo O´ Reed', email: 'jo@example.org' }, 'felt-keys');
  return opened;
}

/** Sells an order that is found by its numbers and its buyer. */
export async function sellTo(
  opened: OpenedShop,
  orderId: string,
  orderNumber: string,
  customer: { readonly name: string; readonly email: string },
  sku: string,
): Promise<void> {
  opened.clock.advance(1000);
  await sellByOrder(opened, { orderId, orderNumber, customer, lines: makeLines(sku) });
}
