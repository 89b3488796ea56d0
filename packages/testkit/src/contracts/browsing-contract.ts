import { createProduct, createVersion, mapSku, updateProduct } from '@handover/domain';
import { openShop } from '../samples.ts';
import type { OpenedShop, StoresRunner } from './harness.ts';

const EVERYTHING = { text: '', status: null, before: null, limit: 50 } as const;

async function openWithProducts(opened: OpenedShop, names: readonly string[]) {
  for (const name of names) await createProduct(opened, opened.shop.orgId, { name, slug: name });
  return opened;
}

async function search({ stores, shop }: OpenedShop, { text }: { readonly text: string }) {
  const rows = await stores.products.search(shop.orgId, { ...EVERYTHING, text });
  return rows.map(({ product }) => product.name);
}

/** Lists that are read page by page. */
export function browsingContract({ describe, it, expect }: StoresRunner): void {
  describe('looking through products', () => {
    it('lists the newest first, each with its live version', async (fresh) => {
      const opened = await openWithProducts(fresh, ['Tape Loops', 'Felt Piano']);
      expect(await search(opened, { text: '' })).toEqual(['Felt Piano', 'Tape Loops', 'Pads']);
      const rows = await opened.stores.products.search(opened.shop.orgId, EVERYTHING);
      expect(rows.map(({ activeVersion }) => activeVersion?.version ?? null)).toEqual([null, null, '1.0']);
    });

    it('finds parts of name or slug, in any case, and has no wildcards', async (fresh) => {
      const opened = await openWithProducts(fresh, ['Tape Loops', 'Felt Piano', '100% Tape_1']);
      expect(await search(opened, { text: ' TAPE ' })).toEqual(['100% Tape_1', 'Tape Loops']);
      expect(await search(opened, { text: 'felt-p' })).toEqual(['Felt Piano']);
      expect(await search(opened, { text: '0%' })).toEqual(['100% Tape_1']);
      expect(await search(opened, { text: 'e_l' })).toEqual([]);
      expect(await search(opened, { text: 'e\\' })).toEqual([]);
    });

    it('continues after the last one seen', async (fresh) => {
      const opened = await openWithProducts(fresh, ['One', 'Two', 'Three']);
      const first = await opened.stores.products.search(opened.shop.orgId, { ...EVERYTHING, limit: 2 });
      expect(first.map(({ product }) => product.name)).toEqual(['Three', 'Two']);
      const before = first.at(-1)?.product.id ?? '';
      const rest = await opened.stores.products.search(opened.shop.orgId, { ...EVERYTHING, before });
      expect(rest.map(({ product }) => product.name)).toEqual(['One', 'Pads']);
    });

    it('can be narrowed to a status, and stays within the organisation', async (fresh) => {
      const opened = await openWithProducts(fresh, ['Tape Loops', 'Felt Piano']);
      await openShop(opened, 'Other');
      const drafts = await opened.stores.products.search(opened.shop.orgId, {
        ...EVERYTHING,
        status: 'draft',
      });
      expect(drafts.map(({ product }) => product.name)).toEqual(['Felt Piano', 'Tape Loops']);
      const [newest] = drafts;
      await updateProduct(opened, opened.shop.orgId, newest?.product.id ?? '', { status: 'archived' });
      const archived = await opened.stores.products.search(opened.shop.orgId, {
        ...EVERYTHING,
        status: 'archived',
      });
      expect(archived.map(({ product }) => product.name)).toEqual(['Felt Piano']);
    });
  });

  describe('looking at a product', () => {
    it('shows its newest versions with their files', async (fresh) => {
      const opened = await openWithProducts(fresh, []);
      const { orgId, product } = opened.shop;
      await createVersion(opened, orgId, product.id, '1.1');
      const versions = await opened.stores.products.listVersions(orgId, product.id, 50);
      expect(versions.map(({ version, files }) => [version, ...files.map(({ name }) => name)])).toEqual([
        ['1.1'],
        ['1.0', 'pads.zip'],
      ]);
      expect(await opened.stores.products.listVersions(orgId, product.id, 1)).toHaveLength(1);
      const other = await openShop(opened, 'Other');
      expect(await opened.stores.products.listVersions(other.orgId, product.id, 50)).toHaveLength(0);
      expect(await opened.stores.products.listVersions(orgId, 'nothing', 50)).toHaveLength(0);
    });

    it('shows the SKUs that map to it', async (fresh) => {
      const opened = await openWithProducts(fresh, []);
      const { orgId, product } = opened.shop;
      await mapSku(opened, orgId, { sku: 'PAD-2', platform: null, productId: product.id });
      await mapSku(opened, orgId, { sku: 'pad-1', platform: 'cart-a', productId: product.id });
      await mapSku(opened, orgId, { sku: 'pad-0', platform: null, productId: null });
      const mappings = await opened.stores.skuMappings.listOf(orgId, product.id, 50);
      expect(mappings).toEqual([
        { sku: 'pad-1', platform: 'cart-a', productId: product.id },
        { sku: 'pad-2', platform: null, productId: product.id },
      ]);
      expect(await opened.stores.skuMappings.listOf(orgId, product.id, 1)).toHaveLength(1);
      const other = await openShop(opened, 'Other');
      expect(await opened.stores.skuMappings.listOf(other.orgId, product.id, 50)).toHaveLength(0);
    });
  });
}
