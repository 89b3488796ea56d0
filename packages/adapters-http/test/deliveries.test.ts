import { makeLine } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { test } from './test-in-shop.ts';

async function list(testShop: TestShop, query = '') {
  return testShop.app.inject({ url: `/api/deliveries${query}`, headers: bearer(testShop.shop.ownerKey) });
}

async function listIds(testShop: TestShop, query = ''): Promise<readonly string[]> {
  return (await list(testShop, query)).json().map(({ id }: { id: string }) => id);
}

describe('GET /api/deliveries', () => {
  test('returns rows with the outcome of each line', async ({ testShop }) => {
    const lines = [makeLine('PADS'), makeLine('WHO-1'), makeLine('WHO-2'), makeLine('WHO-1')];
    const delivery = await recordedDelivery(testShop, testShop.shop, { lines });
    const answer = await list(testShop);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual([
      {
        id: delivery.id,
        platform: 'storefront-a',
        orderId: '5001',
        receivedAt: '2026-03-02T09:00:00.000Z',
        status: 'pending',
        reason: expect.toSatisfy((reason) => reason === null || typeof reason === 'string'),
        note: expect.toSatisfy((note) => note === null || typeof note === 'string'),
        skus: [
          { sku: 'PADS', outcome: 'delivered', reason: null },
          { sku: 'WHO-1', outcome: 'unmatched', reason: expect.any(String) },
          { sku: 'WHO-2', outcome: 'unmatched', reason: expect.any(String) },
          { sku: 'WHO-1', outcome: 'unmatched', reason: expect.any(String) },
        ],
        unmatchedSkus: ['WHO-1', 'WHO-2'],
        orderNumber: '#1001',
      },
    ]);
  });

  test('lists as unmatched SKUs only what a mapping can name, each once however it is written', async () => {
    const testShop = await openTestShop();
    const untitled = { ...makeLine('x', { title: 'Setup help' }), candidates: [] };
    const lines = [makeLine('WHO-1'), untitled, makeLine('who-1')];
    await recordedDelivery(testShop, testShop.shop, { lines });
    const [row] = (await list(testShop)).json();
    expect(row.skus.map(({ sku }: { sku: string }) => sku)).toEqual(['WHO-1', 'Setup help', 'who-1']);
    expect(row.unmatchedSkus).toEqual(['WHO-1']);
  });

  test('returns an empty array without deliveries', async () => {
    expect((await list(await openTestShop())).body).toBe('[]');
  });

  test('paginates newest first, without gaps or repeats', async ({ testShop }) => {
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      ids.unshift((await recordedDelivery(testShop, testShop.shop, { orderId: String(at) })).id);
    }
    const seen: string[] = [];
    for (;;) {
      const before = seen.length > 0 ? `&before=${seen.at(-1)}` : '';
      const page = await listIds(testShop, `?limit=3${before}`);
      seen.push(...page);
      if (page.length < 3) break;
    }
    expect(seen).toEqual(ids);
  });

  test('returns every entry without a limit, and at most that many with one', async ({ testShop }) => {
    const ids: string[] = [];
    for (let at = 0; at < 450; at += 1) {
      ids.unshift((await recordedDelivery(testShop, testShop.shop, { orderId: String(at) })).id);
    }
    expect(await listIds(testShop)).toEqual(ids);
    expect(await listIds(testShop, `?before=${ids[99]}`)).toEqual(ids.slice(100));
    expect(await listIds(testShop, '?status=pending&platform=storefront-a')).toHaveLength(450);
    expect(await listIds(testShop, '?limit=200')).toEqual(ids.slice(0, 200));
    expect(await listIds(testShop, '?limit=1')).toHaveLength(1);
  });

  test('reads the log a page at a time', async () => {
    const limits: number[] = [];
    const testShop = await openTestShop(({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        list: (orgId, query) => {
          limits.push(query.limit);
          return deliveries.list(orgId, query);
        },
      },
    }));
    for (let at = 0; at < 401; at += 1)
      await recordedDelivery(testShop, testShop.shop, { orderId: String(at) });
    expect(await listIds(testShop)).toHaveLength(401);
    expect(limits).toEqual([200, 200, 200]);
  });

  test('filters by status and platform, also with pagination', async ({ testShop }) => {
    const good = await recordedDelivery(testShop, testShop.shop, { orderId: '1' });
    const bad = await recordedDelivery(testShop, testShop.shop, { orderId: '2', lines: [makeLine('WHO')] });
    expect(await listIds(testShop, '?status=error')).toEqual([bad.id]);
    expect(await listIds(testShop, '?status=pending&platform=storefront-a')).toEqual([good.id]);
    expect(await listIds(testShop, '?platform=cart-a')).toEqual([]);
    expect(await listIds(testShop, `?status=error&before=${bad.id}`)).toEqual([]);
  });

  test.each([
    ['limit=0', '“limit” must be at least 1.'],
    ['limit=201', '“limit” must be at most 200.'],
    ['limit=1.5', '“limit” must be a whole number.'],
    ['limit=true', '“limit” must be a whole number.'],
    ['limit=1e1', '“limit” must be a whole number.'],
    ['limit=0x10', '“limit” must be a whole number.'],
    ['limit=%205', '“limit” must be a whole number.'],
    ['limit=-1', '“limit” must be a whole number.'],
    ['limit=', '“limit” must be a whole number.'],
    ['limit=1&limit=2', '“limit” must be a whole number.'],
    ['before=x', '“before” must be an id from the list.'],
    ['before=', '“before” must be an id from the list.'],
    ['status=gone', '“status” must be pending, success, error, held or ignored.'],
    ['status=held&status=error', '“status” must be pending, success, error, held or ignored.'],
    [
      'platform=shopify',
      '“platform” must be storefront-a, storefront-b, payments-a, checkout-a, checkout-a-classic or cart-a.',
    ],
  ])('answers 400 for %s', async (query, error) => {
    const answer = await list(await openTestShop(), `?${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error });
  });
});

describe('GET /api/deliveries/:id', () => {
  test('returns the same row as the list', async ({ testShop }) => {
    const { id } = await recordedDelivery(testShop);
    const answer = await testShop.app.inject({
      url: `/api/deliveries/${id}`,
      headers: bearer(testShop.shop.ownerKey),
    });
    expect(answer.statusCode).toBe(200);
    expect([answer.json()]).toEqual((await list(testShop)).json());
  });

  test('answers 404 for unknown and malformed ids', async ({ testShop }) => {
    for (const id of ['018f0000-0000-7000-8000-000000000000', 'x', '%00', '%20', 'a%2Fb', '%F0%9F%98%80']) {
      const answer = await testShop.app.inject({
        url: `/api/deliveries/${id}`,
        headers: bearer(testShop.shop.ownerKey),
      });
      expect(answer.statusCode, id).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });
});
