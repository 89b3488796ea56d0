import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { test } from './test-in-shop.ts';

type Method = 'GET' | 'PUT' | 'DELETE';

function call(testShop: TestShop, method: Method, sku: string | null, more: object = {}, query = '') {
  const path = sku === null ? '' : `/${encodeURIComponent(sku)}`;
  const url = `/api/sku-mappings${path}${query}`;
  return testShop.app.inject({ method, url, headers: bearer(testShop.shop.ownerKey), ...more });
}

function put(testShop: TestShop, sku: string, payload: object) {
  return call(testShop, 'PUT', sku, { payload });
}

describe('PUT /api/sku-mappings/:sku', () => {
  test('answers 200 with the mapping, for all platforms or for one', async ({ testShop }) => {
    const productId = testShop.shop.product.id;
    const general = await put(testShop, ' PAD-1 ', { productId });
    expect(general.statusCode).toBe(200);
    expect(general.json()).toEqual({ sku: 'pad-1', platform: null, productId });
    const own = await put(testShop, 'PAD-1', { productId: null, platform: 'cart-a' });
    expect(own.json()).toEqual({ sku: 'pad-1', platform: 'cart-a', productId: null });
    expect((await call(testShop, 'GET', null)).json()).toEqual([general.json(), own.json()]);
  });

  test('releases the orders that waited for the SKU', async ({ testShop }) => {
    const { orgId, product } = testShop.shop;
    await recordedDelivery(testShop, testShop.shop, { lines: [makeLine('PAD-1')] });
    const release = { kind: 'sku', sku: 'pad-1', platform: null } as const;
    await put(testShop, 'PAD-1', { productId: '018f0000-0000-7000-8000-000000000000' });
    expect(await testShop.stores.openDeliveries.isReleasing(orgId, release)).toBe(false);
    await put(testShop, 'PAD-1', { productId: product.id });
    expect(await testShop.stores.openDeliveries.isReleasing(orgId, release)).toBe(true);
  });

  test('replaces an earlier mapping of the same SKU and platform', async ({ testShop }) => {
    await put(testShop, 'PAD-1', { productId: testShop.shop.product.id, platform: null });
    await put(testShop, 'pad-1', { productId: null });
    expect((await call(testShop, 'GET', null)).json()).toEqual([
      { sku: 'pad-1', platform: null, productId: null },
    ]);
  });

  test.each(['A/B', '100%', '%2F', 'a+b c?d#e', 'Ünï/日本', '😀', '...', 'x'.repeat(200), '日'.repeat(200)])(
    'takes %j as it is, and lets go of it again',
    async (sku) => {
      const testShop = await openTestShop();
      const answer = await put(testShop, sku, { productId: testShop.shop.product.id });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().sku).toBe(sku.toLowerCase());
      expect((await call(testShop, 'DELETE', sku)).statusCode).toBe(204);
      expect((await call(testShop, 'GET', null)).body).toBe('[]');
    },
  );

  test.each([
    ['PAD', {}, /“productId” is missing/],
    ['PAD', { productId: 5 }, /“productId” must be text or null\./],
    ['PAD', { productId: null, platform: 'shopify' }, /“platform” must be storefront-a, .* or null\./],
    ['PAD', { productId: null, platform: '' }, /“platform” must be/],
    ['PAD', [], /must be a JSON object/],
    [' ', { productId: null }, /“sku” must not be empty/],
    ['x'.repeat(201), { productId: null }, /“sku” must be at most 200 characters/],
    ['a\0b', { productId: null }, /“sku” must be one line without control characters/],
  ])('answers 400 for %j with %j', async (sku, body, sentence) => {
    const testShop = await openTestShop();
    const answer = await put(testShop, sku, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: expect.stringMatching(sentence) });
    expect((await call(testShop, 'GET', null)).body).toBe('[]');
  });

  test('answers 404 for an unknown product, and for a slug', async ({ testShop }) => {
    for (const productId of ['018f0000-0000-7000-8000-000000000000', 'pads', '', '\0']) {
      const answer = await put(testShop, 'PAD', { productId });
      expect(answer.statusCode, productId).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });
});

describe('DELETE /api/sku-mappings/:sku', () => {
  test('removes the mapping for all platforms or for one, and not the other', async ({ testShop }) => {
    await put(testShop, 'PAD', { productId: null });
    await put(testShop, 'PAD', { productId: null, platform: 'cart-a' });
    const removed = await call(testShop, 'DELETE', 'pad', {}, '?platform=cart-a');
    expect(removed.statusCode).toBe(204);
    expect(removed.body).toBe('');
    expect((await call(testShop, 'GET', null)).json()).toEqual([
      { sku: 'pad', platform: null, productId: null },
    ]);
    const again = await call(testShop, 'DELETE', 'pad', {}, '?platform=cart-a');
    expect(again.statusCode).toBe(404);
    expect(again.json()).toEqual({ error: expect.stringMatching(/no mapping for cart-a/) });
    expect((await call(testShop, 'DELETE', 'PAD')).statusCode).toBe(204);
    expect((await call(testShop, 'DELETE', 'PAD')).json()).toEqual({
      error: expect.stringMatching(/all platforms/),
    });
  });

  test('answers 404 for an impossible SKU, and 400 for an unknown platform', async ({ testShop }) => {
    for (const sku of ['unknown', 'a\0b', ' ', 'x'.repeat(201)]) {
      expect((await call(testShop, 'DELETE', sku)).statusCode, sku).toBe(404);
    }
    for (const query of ['?platform=', '?platform=shopify', '?platform=cart-a&platform=cart-a']) {
      const answer = await call(testShop, 'DELETE', 'PAD', {}, query);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json().error).toMatch(/“platform” must be/);
    }
  });

  test('ignores any body', async ({ testShop }) => {
    for (const type of ['application/json', 'no media type']) {
      for (const payload of ['', '{}', '{', 'null']) {
        await put(testShop, 'PAD', { productId: null });
        const headers = { ...bearer(testShop.shop.ownerKey), 'content-type': type };
        expect((await call(testShop, 'DELETE', 'PAD', { headers, payload })).statusCode, payload).toBe(204);
      }
    }
  });
});

test('returns an empty array without mappings', async () => {
  const answer = await call(await openTestShop(), 'GET', null);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toBe('[]');
});

test('affects the next order', async ({ testShop }) => {
  const outcome = async (orderId: string) => {
    const { id } = await recordedDelivery(testShop, testShop.shop, {
      orderId,
      lines: [makeLine('Wide Pads')],
    });
    const answer = await testShop.app.inject({
      url: `/api/deliveries/${id}`,
      headers: bearer(testShop.shop.ownerKey),
    });
    return answer.json().skus[0].outcome;
  };
  expect(await outcome('1')).toBe('unmatched');
  await put(testShop, 'WIDE PADS', { productId: testShop.shop.product.id });
  expect(await outcome('2')).toBe('delivered');
  await put(testShop, 'wide pads', { productId: null, platform: 'storefront-a' });
  expect(await outcome('3')).toBe('not-ours');
});
