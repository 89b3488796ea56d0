import { openShop } from '../samples.ts';
import type { StoresRunner } from './harness.ts';
import { sellByOrder } from './shop-actions.ts';

const HOUR = 60 * 60 * 1000;

/** Download links: what their page shows, and how long they work. */
export function linksContract({ describe, it, expect }: StoresRunner): void {
  describe('download links', () => {
    it('have what their page shows', async (opened) => {
      const { plan } = await sellByOrder(opened);
      const { shop, stores } = opened;
      const linkId = plan.links[0]?.id ?? '';
      expect(await stores.links.find(shop.orgId, linkId)).toMatchObject({
        linkId,
        orgId: shop.orgId,
        expiresAt: plan.links[0]?.expiresAt,
        revokedAt: null,
        isReplaced: false,
        usedAt: null,
        organisation: { name: 'Lumen Audio' },
        customer: { name: 'Ana Lima', email: 'ana@example.com' },
        orderNumber: '#1001',
        productName: 'Pads',
        version: { label: '1.0', files: [{ name: 'pads.zip', size: 5 }] },
      });
    });

    it('are refreshed until they expire, and not after', async (opened) => {
      const { plan } = await sellByOrder(opened);
      const { shop, stores, clock } = opened;
      const linkId = plan.links[0]?.id ?? '';
      const refresh = () => {
        const now = clock.now();
        return stores.links.refresh(shop.orgId, linkId, now, new Date(now.getTime() + 48 * HOUR));
      };
      clock.advance(47 * HOUR);
      expect(await refresh()).toBe(true);
      clock.advance(47 * HOUR);
      expect(await refresh()).toBe(true);
      clock.advance(48 * HOUR);
      expect(await refresh()).toBe(false);
    });

    it('of another organisation are unknown', async (opened) => {
      const { plan } = await sellByOrder(opened);
      const other = await openShop(opened, 'Other');
      const linkId = plan.links[0]?.id ?? '';
      const { links } = opened.stores;
      expect(await links.find(other.orgId, linkId)).toBe(null);
      expect(await links.find(opened.shop.orgId, 'nonsense')).toBe(null);
      expect(await links.refresh(other.orgId, linkId, opened.clock.now(), opened.clock.now())).toBe(false);
    });
  });
}
