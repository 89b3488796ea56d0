import { activateVersion, createProduct, createVersion, updateProduct } from '@handover/domain';
import { openShop, publishProduct } from '../samples.ts';
import { collect, type StoresRunner } from './harness.ts';

const SHA = 'a'.repeat(64);

/** Products, versions and their files. */
export function catalogueContract({ describe, it, expect }: StoresRunner): void {
  describe('products', () => {
    it('are listed newest first with their active version, each organisation its own', async (ports) => {
      const { stores, shop, clock } = ports;
      clock.advance(1000);
      await createProduct(ports, shop.orgId, {
        name: 'Keys',
        slug: 'keys',
      });
      await openShop(ports, 'Other');
      const rows = await collect(stores.products.list(shop.orgId));
      expect(
        rows.map(({ product, activeVersion }) => [product.slug, activeVersion?.version ?? null]),
      ).toEqual([
        ['keys', null],
        ['pads', '1.0'],
      ]);
      expect(rows[1]?.activeVersion).toEqual({ ...shop.version, status: 'ready' });
      expect(rows[1]?.product).toEqual(shop.product);
    });

    it('let two organisations use one slug, and one organisation only once, also at the same moment', async (ports) => {
      const { shop } = ports;
      const other = await openShop(ports, 'Other');
      expect(other.product.slug).toBe(shop.product.slug);
      const add = () => createProduct(ports, shop.orgId, { name: 'Keys', slug: 'keys' });
      const kinds = (await Promise.all([add(), add(), add()])).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['created', 'slug-taken', 'slug-taken']);
    });

    it('keep every one of many changes made at the same moment', async (opened) => {
      const { stores, shop } = opened;
      const change = (fields: { name?: string; description?: string }) =>
        updateProduct(opened, shop.orgId, shop.product.id, fields);
      const changes = Array.from({ length: 40 }, (_, at) =>
        change(at % 2 === 0 ? { name: 'Felt Pads' } : { description: 'Soft.' }),
      );
      const kinds = (await Promise.all(changes)).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(['updated']));
      const product = await stores.products.find(shop.orgId, shop.product.id);
      expect(product).toMatchObject({ name: 'Felt Pads', description: 'Soft.', status: 'published' });
    });

    it('are not changed by what they have already', async (opened) => {
      const { shop, clock } = opened;
      const { name, slug, description, status, activeVersionId } = shop.product;
      const same = { name, slug, description, status, activeVersionId };
      clock.advance(1000);
      for (const change of [{}, same, { status, description: undefined }]) {
        const result = await updateProduct(opened, shop.orgId, shop.product.id, change);
        expect(result).toEqual({ kind: 'updated', product: shop.product });
      }
      const changed = await updateProduct(opened, shop.orgId, shop.product.id, {
        ...same,
        name: 'Felt Pads',
      });
      const product = { ...shop.product, name: 'Felt Pads', updatedAt: clock.now() };
      expect(changed).toEqual({ kind: 'updated', product });
    });

    it('do not take the slug of another product', async (ports) => {
      const { shop } = ports;
      const { product } = await publishProduct(ports, shop.orgId, 'Keys');
      const change = { slug: 'pads' };
      const result = await updateProduct(ports, shop.orgId, product.id, change);
      expect(result).toEqual({ kind: 'slug-taken', slug: 'pads' });
    });

    it('of another organisation, or with an id that is none, are unknown', async (ports) => {
      const { stores, shop, ids } = ports;
      const other = await openShop(ports, 'Other');
      expect(await stores.products.find(other.orgId, shop.product.id)).toBe(null);
      expect(await stores.products.find(shop.orgId, ids.next())).toBe(null);
      expect(await stores.products.find(shop.orgId, 'pads')).toBe(null);
      expect(await stores.products.find('nobody', shop.product.id)).toBe(null);
      expect(await collect(stores.products.list('nobody'))).toEqual([]);
    });
  });

  describe('a product by its slug', () => {
    it('is found in its own organisation alone, by the whole slug', async (ports) => {
      const { stores, shop, ids } = ports;
      const other = await openShop(ports, 'Other');
      expect(await stores.products.findBySlug(shop.orgId, 'pads')).toEqual(shop.product);
      expect(await stores.products.findBySlug(other.orgId, 'pads')).toEqual(other.product);
      for (const slug of ['pad', 'PADS', '', shop.product.id]) {
        expect(await stores.products.findBySlug(shop.orgId, slug)).toBe(null);
      }
      expect(await stores.products.findBySlug(ids.next(), 'pads')).toBe(null);
      expect(await stores.products.findBySlug('nobody', 'pads')).toBe(null);
    });
  });

  describe('versions', () => {
    it('take a file as a new one once, however many bring it at once', async (opened) => {
      const { stores, shop, clock, ids } = opened;
      const { products } = stores;
      const created = await createVersion({ clock, ids, products }, shop.orgId, shop.product.id, '2.0');
      const versionId = created.kind === 'created' ? created.version.id : '';
      const file = { name: 'a.zip', size: 1, sha256: SHA };
      const put = () =>
        stores.inTransaction((within) => within.products.putFile(shop.orgId, versionId, file));
      const outcomes = await Promise.all(Array.from({ length: 6 }, put));
      expect(outcomes.sort()).toEqual(['saved', ...Array.from({ length: 5 }, () => 'unchanged')]);
      const other = { ...file, sha256: 'b'.repeat(64) };
      expect(await products.putFile(shop.orgId, versionId, other)).toBe('saved');
    });

    it('go live with their files, and then take no more', async (opened) => {
      const { stores, shop } = opened;
      const { products } = stores;
      const created = await createVersion(opened, shop.orgId, shop.product.id, '2.0');
      const versionId = created.kind === 'created' ? created.version.id : '';
      expect(await products.putFile(shop.orgId, versionId, { name: 'b.zip', size: 2, sha256: SHA })).toBe(
        'saved',
      );
      expect(await products.putFile(shop.orgId, versionId, { name: 'a.zip', size: 1, sha256: SHA })).toBe(
        'saved',
      );
      expect(await products.putFile(shop.orgId, versionId, { name: 'b.zip', size: 3, sha256: SHA })).toBe(
        'saved',
      );
      expect(await products.putFile(shop.orgId, versionId, { name: 'b.zip', size: 3, sha256: SHA })).toBe(
        'unchanged',
      );
      const activated = await activateVersion(opened, shop.orgId, shop.product.id, versionId);
      expect(activated).toMatchObject({ kind: 'activated', product: { activeVersionId: versionId } });
      expect(await products.putFile(shop.orgId, versionId, { name: 'c.zip', size: 1, sha256: SHA })).toBe(
        'frozen',
      );
      const version = await products.findVersion(shop.orgId, shop.product.id, versionId);
      expect(version?.status).toBe('ready');
      expect(version?.files).toEqual([
        { name: 'a.zip', size: 1, sha256: SHA },
        { name: 'b.zip', size: 3, sha256: SHA },
      ]);
      // The former version stays ready, because its buyers still get it.
      const before = await products.findVersion(shop.orgId, shop.product.id, shop.version.id);
      expect(before?.status).toBe('ready');
    });

    it('count as a change of their product when they go live, though no time has passed', async (opened) => {
      const { stores, shop } = opened;
      const { products } = stores;
      const created = await createVersion(opened, shop.orgId, shop.product.id, '2.0');
      const versionId = created.kind === 'created' ? created.version.id : '';
      await products.putFile(shop.orgId, versionId, { name: 'a.zip', size: 1, sha256: SHA });
      const before = (await products.find(shop.orgId, shop.product.id))?.updatedAt.getTime() ?? 0;
      // The second time, it is live already.
      for (const _ of [1, 2]) {
        await activateVersion(opened, shop.orgId, shop.product.id, versionId);
        const after = await products.find(shop.orgId, shop.product.id);
        expect(after?.updatedAt.getTime()).toBe(before + 1);
      }
    });

    it('change nothing for a version that nobody could have seen live', async ({ stores, shop, clock }) => {
      const expected = { activeVersionId: 'no-id' };
      const { orgId, product } = shop;
      expect(
        await stores.products.change(orgId, product.id, { activeVersionId: null }, clock.now(), expected),
      ).toBe('unknown-product');
    });

    it('say since when they are live, also when another one was in between', async (ports) => {
      const { stores, shop, clock } = ports;
      const { products } = stores;
      const sinceOf = async (versionId: string) =>
        (await products.findVersion(shop.orgId, shop.product.id, versionId))?.liveSince ?? null;
      const created = await createVersion(ports, shop.orgId, shop.product.id, '2.0');
      const second = created.kind === 'created' ? created.version.id : '';
      await products.putFile(shop.orgId, second, { name: 'a.zip', size: 1, sha256: SHA });
      expect(await sinceOf(second)).toBe(null);
      const activate = (versionId: string) => activateVersion(ports, shop.orgId, shop.product.id, versionId);
      clock.advance(1000);
      const since = clock.now();
      await activate(second);
      clock.advance(1000);
      // It is live already, so this changes nothing.
      await activate(second);
      expect(await sinceOf(second)).toEqual(since);
      const back = clock.now();
      const change = { activeVersionId: shop.version.id };
      await updateProduct(ports, shop.orgId, shop.product.id, change);
      expect(await sinceOf(shop.version.id)).toEqual(back);
      clock.advance(1000);
      await updateProduct(ports, shop.orgId, shop.product.id, { ...change, name: 'Other' });
      expect(await sinceOf(shop.version.id)).toEqual(back);
    });

    it('do not go live without files', async (opened) => {
      const { stores, shop } = opened;
      const { products } = stores;
      const created = await createVersion(opened, shop.orgId, shop.product.id, '2.0');
      const versionId = created.kind === 'created' ? created.version.id : '';
      const activated = await activateVersion(opened, shop.orgId, shop.product.id, versionId);
      expect(activated).toEqual({ kind: 'no-files' });
      const product = await products.find(shop.orgId, shop.product.id);
      expect(product?.activeVersionId).toBe(shop.version.id);
    });

    it('have a label of their own within the product', async (opened) => {
      const { shop } = opened;
      const again = await createVersion(opened, shop.orgId, shop.product.id, '1.0');
      expect(again).toEqual({ kind: 'label-taken', label: '1.0' });
    });

    it('are found by their label, with their files', async ({ stores, shop, ids }) => {
      const { products } = stores;
      const found = await products.findVersionByLabel(shop.orgId, shop.product.id, '1.0');
      expect(found).toEqual(await products.findVersion(shop.orgId, shop.product.id, shop.version.id));
      expect(found?.files.length).toBe(1);
      expect(await products.findVersionByLabel(shop.orgId, shop.product.id, '1')).toBe(null);
      expect(await products.findVersionByLabel(shop.orgId, ids.next(), '1.0')).toBe(null);
      expect(await products.findVersionByLabel(ids.next(), shop.product.id, '1.0')).toBe(null);
      expect(await products.findVersionByLabel(shop.orgId, 'not-an-id', '1.0')).toBe(null);
    });

    it('of another product or organisation are unknown', async (ports) => {
      const { stores, shop } = ports;
      const other = await openShop(ports, 'Other');
      const { product } = await publishProduct(ports, shop.orgId, 'Keys');
      const { products } = stores;
      expect(await products.findVersion(shop.orgId, product.id, shop.version.id)).toBe(null);
      expect(await products.findVersion(other.orgId, shop.product.id, shop.version.id)).toBe(null);
      expect(await products.findVersion(shop.orgId, shop.product.id, '1.0')).toBe(null);
      expect(await products.putFile(other.orgId, shop.version.id, { name: 'x', size: 1, sha256: SHA })).toBe(
        'frozen',
      );
    });
  });
}
