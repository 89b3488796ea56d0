import { makeLine } from '@handover/domain/testing';
import { describe, expect, test } from 'vitest';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { recordedDelivery } from './recorded-delivery.ts';

type Method = 'GET' | 'PUT' | 'DELETE';

function call(it: TestShop, method: Method, sku: string | null, more: object = {}, query = '') {
  const path = sku === null ? '' : `/${encodeURIComponent(sku)}`;
  const url = `/api/sku-mappings${path}${query}`;
  return it.app.inject({ method, url, headers: bearer(it.shop.ownerKey), ...more });
}

function put(it: TestShop, sku: string, payload: object) {
  return call(it, 'PUT', sku, { payload });
}

describe('PUT /api/sku-mappings/:sku', () => {
  test('200 with the mapping, for all platforms or for one', async () => {
    const it = await openTestShop();
    const productId = it.shop.product.id;
    const general = await put(it, ' PAD-1 ', { productId });
    expect(general.statusCode).toBe(200);
    expect(general.json()).toEqual({ sku: 'pad-1', platform: null, productId });
    const own = await put(it, 'PAD-1', { productId: null, platform: 'cart-a' });
    expect(own.json()).toEqual({ sku: 'pad-1', platform: 'cart-a', productId: null });
    expect((await call(it, 'GET', null)).json()).toEqual([general.json(), own.json()]);
  });

  test('replaces what was said before of the same SKU and platform', async () => {
    const it = await openTestShop();
    await put(it, 'PAD-1', { productId: it.shop.product.id, platform: null });
    await put(it, 'pad-1', { productId: null });
    expect((await call(it, 'GET', null)).json()).toEqual([{ sku: 'pad-1', platform: null, productId: null }]);
  });

  test.each(['A/B', '100%', '%2F', 'a+b c?d#e', 'Ünï/日本', '😀', '...', 'x'.repeat(200), '日'.repeat(200)])(
    'takes %j as it is, and lets go of it again',
    async (sku) => {
      const it = await openTestShop();
      const answer = await put(it, sku, { productId: it.shop.product.id });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().sku).toBe(sku.toLowerCase());
      expect((await call(it, 'DELETE', sku)).statusCode).toBe(204);
      expect((await call(it, 'GET', null)).body).toBe('[]');
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
  ])('400 for %j with %j', async (sku, body, sentence) => {
    const it = await openTestShop();
    const answer = await put(it, sku, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: expect.stringMatching(sentence) });
    expect((await call(it, 'GET', null)).body).toBe('[]');
  });

  test('404 for a product that is unknown, and for a slug', async () => {
    const it = await openTestShop();
    for (const productId of ['018f0000-0000-7000-8000-000000000000', 'pads', '', '\0']) {
      const answer = await put(it, 'PAD', { productId });
      expect(answer.statusCode, productId).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });
});

describe('DELETE /api/sku-mappings/:sku', () => {
  test('takes away the one for all platforms, or the one for a platform, and not the other', async () => {
    const it = await openTestShop();
    await put(it, 'PAD', { productId: null });
    await put(it, 'PAD', { productId: null, platform: 'cart-a' });
    const removed = await call(it, 'DELETE', 'pad', {}, '?platform=cart-a');
    expect(removed.statusCode).toBe(204);
    expect(removed.body).toBe('');
    expect((await call(it, 'GET', null)).json()).toEqual([{ sku: 'pad', platform: null, productId: null }]);
    const again = await call(it, 'DELETE', 'pad', {}, '?platform=cart-a');
    expect(again.statusCode).toBe(404);
    expect(again.json()).toEqual({ error: expect.stringMatching(/no mapping for cart-a/) });
    expect((await call(it, 'DELETE', 'PAD')).statusCode).toBe(204);
    expect((await call(it, 'DELETE', 'PAD')).json()).toEqual({
      error: expect.stringMatching(/all platforms/),
    });
  });

  test('404 for what can be no SKU, 400 for a platform that is none', async () => {
    const it = await openTestShop();
    for (const sku of ['unknown', 'a\0b', ' ', 'x'.repeat(201)]) {
      expect((await call(it, 'DELETE', sku)).statusCode, sku).toBe(404);
    }
    for (const query of ['?platform=', '?platform=shopify', '?platform=cart-a&platform=cart-a']) {
      const answer = await call(it, 'DELETE', 'PAD', {}, query);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json().error).toMatch(/“platform” must be/);
    }
  });

  test('any body is ignored', async () => {
    const it = await openTestShop();
    for (const type of ['application/json', 'no media type']) {
      for (const payload of ['', '{}', '{', 'null']) {
        await put(it, 'PAD', { productId: null });
        const headers = { ...bearer(it.shop.ownerKey), 'content-type': type };
        expect((await call(it, 'DELETE', 'PAD', { headers, payload })).statusCode, payload).toBe(204);
      }
    }
  });
});

test('no mapping is an empty array', async () => {
  const answer = await call(await openTestShop(), 'GET', null);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.body).toBe('[]');
});

test('a mapping decides what the next order delivers', async () => {
  const it = await openTestShop();
  const outcome = async (orderId: string) => {
    const { id } = await recordedDelivery(it, it.shop, { orderId, lines: [makeLine('Wide Pads')] });
    const answer = await it.app.inject({
      url: `/api/deliveries/${id}`,
      headers: bearer(it.shop.ownerKey),
    });
    return answer.json().skus[0].outcome;
  };
  expect(await outcome('1')).toBe('unmatched');
  await put(it, 'WIDE PADS', { productId: it.shop.product.id });
  expect(await outcome('2')).toBe('delivered');
  await put(it, 'wide pads', { productId: null, platform: 'storefront-a' });
  expect(await outcome('3')).toBe('not-ours');
});
