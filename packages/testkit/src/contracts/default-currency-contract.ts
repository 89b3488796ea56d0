import { createOrganisation, fulfilOrder, setConnectionRules, setDefaultCurrency } from '@handover/domain';
import { makeOrder, openShop, recordOrder } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';
import { fulfil } from './shop-actions.ts';

/** The currency of orders and purchases without one. */
export function defaultCurrencyContract({ describe, it, expect }: StoresRunner): void {
  describe('organisations and their currency', () => {
    it('may have a default currency from the start, or none until it is chosen', async (opened) => {
      const { stores, shop } = opened;
      const input = { name: 'Fourth', ownerEmail: 'fourth@example.com', currency: 'usd ' };
      const created = await createOrganisation(opened, input);
      const id = created.kind === 'created' ? created.organisation.id : '';
      expect(await stores.organisations.find(id)).toMatchObject({ defaultCurrency: 'USD' });
      const wrong = { ...input, ownerEmail: 'fifth@example.com', currency: 'EURO' };
      expect(await createOrganisation(opened, wrong)).toMatchObject({ kind: 'invalid', field: 'currency' });
      expect(await stores.organisations.find(shop.orgId)).toMatchObject({ defaultCurrency: null });
      expect(await setDefaultCurrency(stores, shop.orgId, 'XXX')).toMatchObject({ kind: 'invalid' });
      expect(await setDefaultCurrency(stores, 'x', 'EUR')).toEqual({ kind: 'unknown-organisation' });
    });

    it('give their default currency to orders and purchases that have none', async (opened) => {
      const { stores, shop } = opened;
      const other = await openShop(opened, 'Other');
      const sell = async (orderId: string, currency: string | null, of: typeof shop = shop) => {
        const order = makeOrder(of, { orderId, currency });
        await fulfil(opened, order);
      };
      const currencies = async ({ orgId }: typeof shop) =>
        (await collect(stores.purchases.list(orgId))).map(({ orderId, currency }) => [orderId, currency]);
      await sell('1', null);
      await sell('2', 'USD');
      await sell('1', null, other);
      expect(await currencies(shop)).toEqual([
        ['2', 'USD'],
        ['1', null],
      ]);
      expect(await setDefaultCurrency(stores, shop.orgId, 'chf')).toEqual({
        kind: 'set',
        currency: 'CHF',
        isChanged: true,
      });
      expect(await setDefaultCurrency(stores, shop.orgId, 'CHF')).toMatchObject({ isChanged: false });
      await sell('3', null);
      expect(await currencies(shop)).toEqual([
        ['3', 'CHF'],
        ['2', 'USD'],
        ['1', 'CHF'],
      ]);
      expect(await currencies(other)).toEqual([['1', null]]);
      const connection = { orgId: shop.orgId, platform: 'storefront-a', name: shop.connection.name } as const;
      await setConnectionRules(stores, { ...connection, rules: { defaultCurrency: 'JPY' } });
      await sell('4', null);
      expect((await currencies(shop))[0]).toEqual(['4', 'JPY']);
    });

    it('give it to an order that was being decided when it was set', async (opened) => {
      const { stores, shop } = opened;
      const order = makeOrder(shop, { currency: null });
      const { id } = await recordOrder(opened, order);
      const snapshot = await stores.fulfilment.loadSnapshot(order);
      await setDefaultCurrency(stores, shop.orgId, 'CHF');
      const plan = await fulfilOrder(opened, order, { id, attempts: 0 }, Promise.resolve(snapshot));
      expect(plan.purchases.map(({ currency }) => currency)).toEqual(['CHF']);
    });

    it('give that of a connection to an order that was being decided when it was set', async (opened) => {
      const { stores, shop } = opened;
      const order = makeOrder(shop, { currency: null });
      const { id } = await recordOrder(opened, order);
      const snapshot = await stores.fulfilment.loadSnapshot(order);
      const connection = { orgId: shop.orgId, platform: 'storefront-a', name: shop.connection.name } as const;
      await setConnectionRules(stores, { ...connection, rules: { defaultCurrency: 'JPY' } });
      const plan = await fulfilOrder(opened, order, { id, attempts: 0 }, Promise.resolve(snapshot));
      expect(plan.purchases.map(({ currency }) => currency)).toEqual(['JPY']);
    });
  });
}
