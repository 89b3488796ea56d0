import { mapSku } from '@handover/domain';
import { makeLine, publishProduct } from '../samples.ts';
import { collect, type OpenedShop, type StoresRunner } from './harness.ts';
import { sellByOrder } from './shop-actions.ts';

const TEXT = 'Pads, Grand';
const LINES = [
  makeLine('Pads', { amount: '49.00', listedIn: TEXT }),
  makeLine('Grand', { amount: '0', listedIn: TEXT }),
];

/** Texts that list several products, or name one that has a comma in its name. */
export function listedNamesContract({ describe, it, expect }: StoresRunner): void {
  describe('a text with a comma', () => {
    it('is the name of one product where a piece of it names none', async (opened) => {
      await publishProduct(opened, opened.shop.orgId, TEXT);
      expect(await sell(opened)).toEqual([['pads-grand', '49.00']]);
    });

    it('lists several products where each piece names one', async (opened) => {
      for (const name of ['Grand', TEXT]) await publishProduct(opened, opened.shop.orgId, name);
      expect((await sell(opened)).toSorted()).toEqual([
        ['grand', '0'],
        ['pads', '49.00'],
      ]);
    });

    it('is what it was mapped to, whatever its pieces name', async (opened) => {
      const { shop } = opened;
      await publishProduct(opened, shop.orgId, 'Grand');
      const { product } = await publishProduct(opened, shop.orgId, 'Suite');
      await mapSku(opened, shop.orgId, {
        sku: ' pads, GRAND',
        platform: null,
        productId: product.id,
      });
      expect(await sell(opened)).toEqual([['suite', '49.00']]);
    });
  });
}

async function sell(opened: OpenedShop): Promise<readonly (readonly [string, string])[]> {
  const { stores, shop } = opened;
  await sellByOrder(opened, { lines: LINES });
  const purchases = await collect(stores.purchases.list(shop.orgId));
  return purchases.map(({ productSlug, amount }) => [productSlug, amount] as const);
}
