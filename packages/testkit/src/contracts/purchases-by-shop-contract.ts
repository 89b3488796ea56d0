import {
  ALL_PURCHASES,
  type BulkQuery,
  beginBulk,
  continueBulk,
  type PurchaseQuery,
  setIntegrationSecret,
} from '@handover/domain';
import { prepare } from '../runner.ts';
import { byOwner, makeOrder, openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';
import { fulfil, makeLines, searchPurchases } from './shop-actions.ts';

/** A platform can have several shops, each with its own connection. */
export function purchasesByShopContract(runner: StoresRunner): void {
  const { describe, it, expect } = prepare(runner, openTwoShops);

  describe('the purchases of one of several shops', () => {
    it('are found and added up alone, by the same order id as well', async ({ opened, secondShop }) => {
      const { stores, shop } = opened;
      const find = async (query: Partial<PurchaseQuery>) =>
        (await searchPurchases(opened, query)).map(({ connectionName }) => connectionName);
      expect(await find({})).toEqual(['EU shop', 'main']);
      expect(await find({ connectionId: shop.connection.id })).toEqual(['main']);
      expect(await find({ connectionId: secondShop })).toEqual(['EU shop']);
      expect(await find({ connectionId: secondShop, source: 'storefront-a', text: 'pads' })).toEqual([
        'EU shop',
      ]);
      expect(await find({ connectionId: secondShop, source: 'storefront-b' })).toEqual([]);
      expect(await stores.purchases.sum(shop.orgId, { ...ALL_PURCHASES, connectionId: secondShop })).toEqual([
        { currency: 'EUR', purchases: 1, amount: '49.00' },
      ]);
    });

    it('are all that a bulk action of the shop reaches', async ({ opened, secondShop }) => {
      const { clock, ids, shop } = opened;
      clock.advance(1000);
      const query: BulkQuery = { ...ALL_PURCHASES, connectionId: secondShop };
      const by = await byOwner(opened.stores, shop.orgId);
      const asked = { id: ids.next(), orgId: shop.orgId, action: 'revoke', askedAt: clock.now() } as const;
      await beginBulk(opened, { ...asked, total: 1, by }, query);
      expect(await continueBulk(opened, { orgId: shop.orgId, bulkId: asked.id })).toBe('done');
      const found = await searchPurchases(opened);
      expect(found.map(({ connectionName, revokedAt }) => [connectionName, revokedAt !== null])).toEqual([
        ['EU shop', true],
        ['main', false],
      ]);
    });

    it('are none where the connection is unknown, or of another organisation', async (prepared) => {
      const { opened, secondShop } = prepared;
      const other = await openShop(opened, 'Other');
      for (const connectionId of ['nonsense', opened.ids.next(), other.connection.id]) {
        expect(await searchPurchases(opened, { connectionId })).toEqual([]);
      }
      const ofOther = { ...ALL_PURCHASES, connectionId: secondShop };
      expect(await opened.stores.purchases.countMatching(other.orgId, ofOther, 10)).toBe(0);
      expect(await opened.stores.purchases.sum(other.orgId, ofOther)).toEqual([]);
    });
  });
}

async function openTwoShops(
  opened: OpenedShop,
): Promise<{ readonly opened: OpenedShop; readonly secondShop: string }> {
  const { shop, stores, clock } = opened;
  const named = { orgId: shop.orgId, platform: 'storefront-a', name: 'EU shop' } as const;
  await setIntegrationSecret(opened, { ...named, secret: 'eu-secret-1' });
  const sources = await stores.deliveries.listSources(shop.orgId);
  const secondShop = sources.find(({ name }) => name === 'EU shop')?.connectionId ?? '';
  const lines = makeLines('pads');
  await fulfil(opened, makeOrder(shop, { orderId: '9001', lines }));
  clock.advance(1000);
  await fulfil(opened, makeOrder(shop, { orderId: '9001', connectionId: secondShop, lines }));
  return { opened, secondShop };
}
