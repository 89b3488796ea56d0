import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mapSku, mapSkuAndRelease, unmapSku } from '@handover/domain';
import { describe, expect, it } from 'vitest';
import { openShopInMemory } from './open-shop-in-memory.ts';

describe('mapping a SKU', () => {
  it('folds it, and a later word on the same SKU and platform takes the place of the earlier', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const productId = shop.product.id;
    const mapped = await mapSku(ports, shop.orgId, { sku: ' PAD-1 ', platform: null, productId });
    expect(mapped).toEqual({
      kind: 'mapped',
      mapping: { sku: 'pad-1', platform: null, productId },
      isChanged: true,
    });
    await mapSku(ports, shop.orgId, { sku: 'Pad-1', platform: null, productId: null });
    const kept = [];
    for await (const mapping of ports.skuMappings.list(shop.orgId)) kept.push(mapping);
    expect(kept).toEqual([{ sku: 'pad-1', platform: null, productId: null }]);
  });

  it.each(['', ' ', 'x'.repeat(201), 'a\u0000b', 'two\nlines', '\ud800', '\ufdfa'.repeat(20)])(
    'takes no SKU like %j',
    async (sku) => {
      const { shop, ...ports } = await openShopInMemory();
      const mapped = await mapSku(ports, shop.orgId, { sku, platform: null, productId: null });
      expect(mapped).toMatchObject({ kind: 'invalid', field: 'sku' });
      expect(await unmapSku(ports, shop.orgId, { sku, platform: null })).toBe('unknown-mapping');
    },
  );
});

describe('mapping a SKU and releasing its orders', () => {
  it.each(['storefront-a', null])('releases those of %s', async (platform) => {
    const { shop, ...ports } = await openShopInMemory();
    const { orgId, product } = shop;
    await mapSkuAndRelease(ports, orgId, { sku: ' PAD-1 ', platform, productId: product.id });
    const release = { kind: 'sku', sku: 'pad-1', platform } as const;
    expect(await ports.openDeliveries.isReleasing(orgId, release)).toBe(true);
  });

  it('releases nothing where nothing was mapped', async () => {
    const { shop, ...ports } = await openShopInMemory();
    const { orgId } = shop;
    const mapped = await mapSkuAndRelease(ports, orgId, { sku: 'PAD-1', platform: null, productId: orgId });
    expect(mapped.kind).toBe('unknown-product');
    const release = { kind: 'sku', sku: 'pad-1', platform: null } as const;
    expect(await ports.openDeliveries.isReleasing(orgId, release)).toBe(false);
  });

  it('is the only way to map a SKU that requests and commands use', () => {
    const folders = ['../../adapters-http/src', '../../../apps/server/src'];
    const sources = folders.flatMap((folder) => readSources(new URL(folder, import.meta.url)));
    expect(sources.some((text) => text.includes('mapSkuAndRelease('))).toBe(true);
    expect(sources.filter((text) => /\bmapSku\(/.test(text))).toEqual([]);
  });
});

function readSources(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${fileURLToPath(folder)}/${file}`, 'utf8'));
}

describe('unmapping a SKU', () => {
  it('takes away the mapping for that platform alone', async () => {
    const { shop, ...ports } = await openShopInMemory();
    for (const platform of [null, 'cart-a'] as const) {
      await mapSku(ports, shop.orgId, { sku: 'PAD', platform, productId: null });
    }
    expect(await unmapSku(ports, shop.orgId, { sku: ' pad', platform: 'cart-a' })).toBe('unmapped');
    expect(await unmapSku(ports, shop.orgId, { sku: 'pad', platform: 'cart-a' })).toBe('unknown-mapping');
    expect(await unmapSku(ports, shop.orgId, { sku: 'pad', platform: null })).toBe('unmapped');
  });
});
