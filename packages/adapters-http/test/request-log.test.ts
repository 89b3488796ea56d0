import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect } from 'vitest';
import { bearer, openTestShop } from './open-test-shop.ts';
import { sellPads } from './sell-pads.ts';
import { test } from './test-in-shop.ts';

const SALE = { orderId: '5001', email: 'ana@example.com', sku: 'pads' };

describe('the request log', () => {
  test('has one line per request, with pattern, status, time and organisation', async ({ testShop }) => {
    await testShop.app.inject({ url: '/api/products?x=1', headers: bearer(testShop.shop.ownerKey) });
    await testShop.app.inject('/nope');
    expect(testShop.log.lines).toHaveLength(2);
    expect(testShop.log.lines).toMatchObject([
      {
        level: 'info',
        method: 'GET',
        route: '/api/products',
        status: 200,
        orgId: testShop.shop.orgId,
        reqId: expect.any(String),
        ms: expect.any(Number),
      },
      { level: 'info', method: 'GET', route: 'none', status: 404 },
    ]);
  });

  test('shows the delivery, order and status of a webhook', async ({ testShop }) => {
    const { body, headers } = signedSample('test-secret', SALE);
    const url = `/webhooks/${testShop.shop.orgId}/storefront-a?secret=hush`;
    const { deliveryId } = (
      await testShop.app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) })
    ).json();
    expect(testShop.log.lines).toMatchObject([
      {
        route: '/webhooks/:orgId/storefront-a',
        orgId: testShop.shop.orgId,
        platform: 'storefront-a',
        deliveryId,
        orderId: '5001',
        deliveryStatus: 'pending',
      },
    ]);
  });

  test('never holds a key, token, secret, signature, body or address', async () => {
    const sale = await sellPads();
    const { body, headers } = signedSample('test-secret', SALE);
    const url = `/webhooks/${sale.shop.orgId}/storefront-a?secret=hush`;
    await sale.app.inject({ method: 'POST', url, headers, payload: Buffer.from(body) });
    await sale.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'x-shopify-hmac-sha256': 'forged' },
      payload: 'other',
    });
    await sale.app.inject({
      url: '/api/products',
      headers: { ...bearer(sale.shop.ownerKey), cookie: 'session=biscuit' },
    });
    await sale.app.inject({ url: '/api/products', headers: { 'x-api-key': 'key-wrong' } });
    await sale.app.inject({
      method: 'POST',
      url: '/api/products',
      headers: bearer(sale.shop.ownerKey),
      payload: { name: 'confidential' },
    });
    await sale.app.inject(`/d/${sale.token}`);
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    await sale.app.inject(`/d/${sale.token}/files/1.0/other.zip`);
    await sale.app.inject(`/elsewhere/${sale.token}`);
    const text = JSON.stringify(sale.log.lines);
    const signature = headers['x-storefront-a-hmac-sha256'] ?? 'missing';
    const secrets = [
      sale.token,
      sale.shop.ownerKey,
      'key-wrong',
      'hush',
      'test-secret',
      signature,
      'forged',
      'biscuit',
      'confidential',
      'ana@example.com',
    ];
    for (const secret of secrets) expect(text, secret).not.toContain(secret);
  });

  test('trusts X-Forwarded-For only from configured proxies', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };
    const ipWith = async (trustProxy: boolean | string | readonly string[]) => {
      const { app, log } = await openTestShop(undefined, { trustProxy });
      await app.inject({ url: '/nope', headers: forwarded });
      return log.requests()[0]?.ip;
    };
    expect(await ipWith(false)).toBe('127.0.0.1');
    expect(await ipWith([])).toBe('127.0.0.1');
    expect(await ipWith('')).toBe('127.0.0.1');
    expect(await ipWith(['10.0.0.0/8'])).toBe('127.0.0.1');
    expect(await ipWith(['127.0.0.1'])).toBe('203.0.113.9');
    expect(await ipWith('127.0.0.1,10.0.0.1')).toBe('203.0.113.9');
  });

  test('may be disabled', async () => {
    const { app } = await openTestShop(undefined, { log: false });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});
