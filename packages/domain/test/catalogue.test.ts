import {
  activateVersion,
  addVersionFile,
  createProduct,
  createVersion,
  updateProduct,
} from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

describe('a new product', () => {
  it('is a draft without a version, its slug normalised', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const created = await createProduct(ports, shop.orgId, { name: ' Felt Piano ', slug: 'Felt Piano!' });
    expect(created).toMatchObject({
      kind: 'created',
      product: {
        name: 'Felt Piano',
        slug: 'felt-piano',
        status: 'draft',
        activeVersionId: null,
        description: null,
      },
    });
  });

  it.each([
    ['name', { name: ' ', slug: 'x' }],
    ['name', { name: 'a\u0000b', slug: 'x' }],
    ['name', { name: 'two\nlines', slug: 'x' }],
    ['name', { name: 'n'.repeat(201), slug: 'x' }],
    ['slug', { name: 'n', slug: '***' }],
    ['slug', { name: 'n', slug: 's'.repeat(101) }],
    ['description', { name: 'n', slug: 'x', description: 'd'.repeat(10_001) }],
    ['description', { name: 'n', slug: 'x', description: 'a\u0000b' }],
  ])('needs a usable %s: %j', async (field, input) => {
    const { shop, ...ports } = await openShopInMemory();
    expect(await createProduct(ports, shop.orgId, input)).toMatchObject({ kind: 'invalid', field });
  });

  it('names every field that cannot be used, the first one first', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const input = { name: '', slug: '***', description: 'a\u0000b' };
    const problems = ['name', 'slug', 'description'].map((field) => ({ kind: 'invalid', field }));
    const answers = [
      await createProduct(ports, shop.orgId, input),
      await updateProduct(ports, shop.orgId, shop.product.id, input),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ kind: 'invalid', field: 'name', problems });
  });

  it('may be described over several lines', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const input = { name: 'n', slug: 'x', description: 'One.\r\n\tTwo.' };
    expect(await createProduct(ports, shop.orgId, input)).toMatchObject({ kind: 'created' });
  });
});

describe('a change of a product', () => {
  it('leaves alone what it does not name', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const updated = await updateProduct(ports, shop.orgId, shop.product.id, { description: 'Soft.' });
    expect(updated).toMatchObject({
      kind: 'updated',
      product: { ...shop.product, description: 'Soft.', updatedAt: expect.any(Date) },
    });
  });

  it('takes the live version away, and gives back only one that is ready', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const change = (activeVersionId: string | null) =>
      updateProduct(ports, shop.orgId, shop.product.id, { activeVersionId });
    expect(await change(null)).toMatchObject({ product: { activeVersionId: null } });
    expect(await change(shop.version.id)).toMatchObject({ product: { activeVersionId: shop.version.id } });
    expect(await change('nonsense')).toMatchObject({ kind: 'invalid', field: 'activeVersionId' });
    const preparing = await createVersion(ports, shop.orgId, shop.product.id, '2.0');
    const id = preparing.kind === 'created' ? preparing.version.id : '';
    expect(await change(id)).toMatchObject({ kind: 'invalid', field: 'activeVersionId' });
  });

  it('of an unknown product says so', async () => {
    const { shop, ...ports } = await openShopInMemory();
    expect(await updateProduct(ports, shop.orgId, 'x', { name: 'n' })).toEqual({ kind: 'unknown-product' });
  });
});

describe('a version', () => {
  it.each(['', ' ', '1..0', '.1', 'v  1', '1/2', 'x'.repeat(51), 'ü'])(
    'cannot be called %j',
    async (label) => {
      const { shop, ...ports } = await openShopInMemory();
      const created = await createVersion(ports, shop.orgId, shop.product.id, label);
      expect(created).toMatchObject({ kind: 'invalid', field: 'version' });
    },
  );

  it.each(['', '.', '..', 'a/b', 'a\\b', 'a\u0000', ' a', 'n'.repeat(201)])(
    'takes no file named %j',
    async (name) => {
      const { shop, ...ports } = await openShopInMemory();
      const { stored, files } = createCountingFiles();
      const at = { orgId: shop.orgId, productId: shop.product.id, versionId: shop.version.id, name };
      expect(await addVersionFile({ ...ports, files }, at, emptyContent())).toMatchObject({
        kind: 'invalid',
        field: 'name',
      });
      expect(stored()).toBe(0);
    },
  );

  it('that is live takes no file, and none is stored for nothing', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const { stored, files } = createCountingFiles();
    const at = { orgId: shop.orgId, productId: shop.product.id, versionId: shop.version.id, name: 'x.zip' };
    expect(await addVersionFile({ ...ports, files }, at, emptyContent())).toEqual({ kind: 'frozen' });
    expect(stored()).toBe(0);
  });

  it('that is unknown can neither take files nor go live', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const { files } = createCountingFiles();
    const at = { orgId: shop.orgId, productId: shop.product.id, versionId: 'x', name: 'x.zip' };
    expect(await addVersionFile({ ...ports, files }, at, emptyContent())).toEqual({
      kind: 'unknown-version',
    });
    expect(await activateVersion(ports, shop.orgId, shop.product.id, 'x')).toEqual({
      kind: 'unknown-version',
    });
  });
});

function createCountingFiles() {
  let count = 0;
  const files = {
    store: async () => {
      count += 1;
      return { size: 0, sha256: '0'.repeat(64) };
    },
    open: async () => null,
  };
  return { files, stored: () => count };
}

async function* emptyContent(): AsyncIterable<Uint8Array> {}
