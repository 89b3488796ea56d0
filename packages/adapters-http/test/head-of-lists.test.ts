import { describe, expect, test, vi } from 'vitest';
import { bearer, openTestShop } from './open-test-shop.ts';

/** What each list is read from. */
const LISTS = [
  ['/api/products', 'products', 'list'],
  ['/api/purchases', 'purchases', 'listAsJson'],
  ['/api/deliveries', 'deliveries', 'list'],
  ['/api/sku-mappings', 'skuMappings', 'list'],
  ['/api/download-sessions', 'sessions', 'search'],
  ['/api/reports/downloads', 'sessions', 'list'],
] as const;

describe('HEAD of a list', () => {
  test.each(LISTS)('%s answers as GET does, and reads no row', async (url, port, method) => {
    const { app, ports, shop } = await openTestShop();
    const headers = bearer(shop.ownerKey);
    const ofGet = await app.inject({ url, headers });
    const read = vi.fn();
    const store = ports[port] as unknown as Record<string, () => AsyncIterable<unknown>>;
    vi.spyOn(store, method).mockImplementation(async function* () {
      yield read();
    });
    const { statusCode, body, headers: answered } = await app.inject({ method: 'HEAD', url, headers });
    expect([statusCode, body]).toEqual([200, '']);
    expect(answered['content-type']).toBe(ofGet.headers['content-type']);
    expect(answered['content-disposition']).toBe(ofGet.headers['content-disposition']);
    // A length is that of what GET answers, or is left out.
    expect(answered['content-length']).toBeUndefined();
    expect(read).not.toHaveBeenCalled();
    expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(401);
  });

  test('says whether an entry of the webhook log is there', async () => {
    const { app, shop } = await openTestShop();
    const request = { method: 'HEAD', headers: bearer(shop.ownerKey) } as const;
    const unknown = await app.inject({ ...request, url: `/api/deliveries/${shop.orgId}` });
    expect(unknown.statusCode).toBe(404);
    const wrong = await app.inject({ ...request, url: '/api/reports/downloads?from=yesterday' });
    expect(wrong.statusCode).toBe(400);
  });
});
