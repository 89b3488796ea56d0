import { mapSku } from '@handover/domain';
import { makeOrder, openShop } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';

/** Which SKU delivers which product, and which one is ignored. */
export function skuMappingContract({ describe, it, expect }: StoresRunner): void {
  describe('SKU mappings', () => {
    it('name only products of the organisation', async (ports) => {
      const { stores, shop, ids } = ports;
      const other = await openShop(ports, 'Other');
      const map = (orgId: string, productId: string) =>
        mapSku(stores, orgId, { sku: 'X', platform: null, productId });
      expect((await map(shop.orgId, shop.product.id)).kind).toBe('mapped');
      expect(await map(shop.orgId, other.product.id)).toEqual({ kind: 'unknown-product' });
      expect(await map(shop.orgId, 'pads')).toEqual({ kind: 'unknown-product' });
      expect(await map(ids.next(), shop.product.id)).toEqual({ kind: 'unknown-organisation' });
    });

    it('are listed by SKU and platform, replaced by putting again, and can be taken away', async (ports) => {
      const { stores, shop } = ports;
      const other = await openShop(ports, 'Other');
      const map = (sku: string, platform: 'cart-a' | null, productId: string | null) =>
        mapSku(stores, shop.orgId, { sku, platform, productId });
      await map('Zebra', null, shop.product.id);
      await map('apple', 'cart-a', shop.product.id);
      await map('APPLE', null, shop.product.id);
      await map('apple', null, null);
      const listed = [
        { sku: 'apple', platform: null, productId: null },
        { sku: 'apple', platform: 'cart-a', productId: shop.product.id },
        { sku: 'zebra', platform: null, productId: shop.product.id },
      ];
      expect(await collect(stores.skuMappings.list(shop.orgId))).toEqual(listed);
      expect(await collect(stores.skuMappings.list(other.orgId))).toEqual([]);
      expect(await collect(stores.skuMappings.list('nobody'))).toEqual([]);
      expect(await stores.skuMappings.remove(other.orgId, 'apple', null)).toBe('unknown');
      expect(await stores.skuMappings.remove(shop.orgId, 'apple', null)).toBe('removed');
      expect(await stores.skuMappings.remove(shop.orgId, 'apple', null)).toBe('unknown');
      expect(await collect(stores.skuMappings.list(shop.orgId))).toEqual(listed.slice(1));
    });

    it('that say the same already change nothing, however many are put at once', async ({ stores, shop }) => {
      const map = (productId: string | null) =>
        mapSku(stores, shop.orgId, { sku: 'PAD', platform: null, productId });
      const put = async (productId: string | null) => {
        const mapped = await Promise.all(Array.from({ length: 3 }, () => map(productId)));
        return mapped.filter((one) => one.kind === 'mapped' && one.isChanged).length;
      };
      expect([await put(shop.product.id), await put(shop.product.id)]).toEqual([1, 0]);
      expect([await put(null), await put(null)]).toEqual([1, 0]);
    });

    it('move what decisions rest on, whether added or taken away', async ({ stores, shop }) => {
      const revision = async () => (await stores.fulfilment.loadSnapshot(makeOrder(shop))).catalogueRevision;
      const revisions = [await revision()];
      await mapSku(stores, shop.orgId, { sku: 'x', platform: null, productId: null });
      revisions.push(await revision());
      await stores.skuMappings.remove(shop.orgId, 'x', null);
      revisions.push(await revision());
      expect(new Set(revisions).size).toBe(3);
    });
  });
}
