import type { Delivery, TranslatedEntry } from '@handover/domain';
import type { PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { sampleOrder, signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import { sendsEmail } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import { expectOneOrder, SALE, send } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

function signed(body: Uint8Array, more: Record<string, string> = {}) {
  return {
    body,
    query: {},
    headers: { 'content-type': 'application/json', ...more, ...signForTest('test-secret', body) },
  };
}

describe('a delivery is accepted', () => {
  test('and a genuine order is fulfilled before the answer', async ({ testShop }) => {
    const deliveryId = expectOneOrder(await send(testShop), '5001');
    expect((await testShop.stores.deliveries.find(testShop.shop.orgId, deliveryId))?.attempts).toBe(1);
    expect((await testShop.stores.queuedJobs()).map(({ kind }) => kind)).toEqual(['send-email']);
  });

  test('with its current status in the answer', async ({ testShop }) => {
    const answer = await send(testShop, signedSample('test-secret', { ...SALE, sku: 'NOBODY-KNOWS' }));
    expect(answer.json()).toMatchObject({ received: true, status: 'error' });
  });

  test('and ignored with 200 if it is signed but not a completed order', async ({ testShop }) => {
    const answer = await send(testShop, signed(sampleOrder({ financial_status: 'pending' })));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ received: true, status: 'ignored' });
  });

  test('and its body stored byte for byte, with the headers that translation reads and no signature', async () => {
    const testShop = await openTestShop();
    const text = new TextDecoder().decode(sampleOrder({ note: 'Zoë \u2028 😀' })).replace('{', '{ \r\n\t');
    const body = new TextEncoder().encode(text);
    const { deliveryId } = (await send(testShop, signed(body, { 'x-shopify-topic': 'orders/paid' }))).json();
    const stored = await testShop.stores.deliveries.find(testShop.shop.orgId, deliveryId);
    expect(Buffer.from(stored?.body?.bytes ?? []).equals(Buffer.from(body))).toBe(true);
    expect(stored?.body?.headers).toEqual({ 'x-shopify-topic': 'orders/paid' });
  });

  test('with any content type, and none', async ({ testShop }) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'json',
    ]) {
      const sample = signedSample('test-secret', SALE);
      const answer = await send(testShop, {
        ...sample,
        headers: { ...sample.headers, 'content-type': type },
      });
      expect(answer.statusCode, type).toBe(200);
    }
    const sample = signedSample('test-secret', SALE);
    const { 'content-type': _, ...headers } = sample.headers;
    expect((await send(testShop, { ...sample, headers })).statusCode).toBe(200);
  });

  test('and left to the job on a platform that answers after recording', async () => {
    const background = { ...storefrontA, answers: 'after-recording' as const };
    const testShop = await openTestShop(undefined, { platforms: [background] });
    const answer = await send(testShop);
    expect(answer.json()).toMatchObject({ status: 'pending' });
    expect((await testShop.stores.queuedJobs()).map(({ kind }) => kind)).toEqual(['fulfil-delivery']);
  });

  test('with an entry for each order of a batch, the first one on top', async () => {
    const batch: PlatformWebhook = {
      ...storefrontA,
      translate: (payload, headers) => {
        const [entry] = translateSample(payload, headers);
        if (entry?.kind !== 'order') throw new Error('The sample holds no order.');
        return ['1', '2'].map((orderId) => ({ ...entry, order: { ...entry.order, orderId } }));
      },
    };
    const testShop = await openTestShop(undefined, { platforms: [batch] });
    const answer = (await send(testShop)).json();
    expect(answer.deliveries.map(({ orderId }: Delivery) => orderId)).toEqual(['1', '2']);
    expect(answer.deliveryId).toBe(answer.deliveries[0].deliveryId);
    expect(answer.status).toBe(answer.deliveries[0].status);
  });
});

describe('a delivery is rejected', () => {
  test('with 401 for another secret, another body, or no signature', async ({ testShop }) => {
    const genuine = signedSample('test-secret', SALE);
    const answers = [
      await send(testShop, signedSample('another secret', SALE)),
      await send(testShop, { ...genuine, body: sampleOrder({ id: '6' }) }),
      await send(testShop, { ...genuine, headers: { 'content-type': 'application/json' } }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
    const jobs = await testShop.stores.queuedJobs();
    expect(jobs.filter((job) => !sendsEmail('alert')(job))).toEqual([]);
    const reasons = testShop.log.requests().map(({ reason }) => reason);
    expect(reasons).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });

  test('with 401 when the platform is not set up', async () => {
    const testShop = await openTestShop(({ connections }) => ({
      connections: { ...connections, list: async () => [] },
    }));
    const answer = await send(testShop);
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toMatch(/not set up/);
  });

  test('with 404 for an unknown organisation, and for a malformed id', async ({ testShop }) => {
    for (const orgId of ['018f0000-0000-7000-8000-000000000000', 'nonsense', '%00', 'a%2Fb']) {
      const answer = await testShop.app.inject({
        method: 'POST',
        url: `/webhooks/${orgId}/storefront-a`,
        payload: '{}',
      });
      expect(answer.statusCode, orgId).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });

  test('with 404 for an unknown platform', async ({ testShop }) => {
    const answer = await testShop.app.inject({
      method: 'POST',
      url: `/webhooks/${testShop.shop.orgId}/storefront-z`,
      payload: '{}',
    });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ error: expect.any(String) });
  });

  test('with 405 for every other method, naming the right one', async ({ testShop }) => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await testShop.app.inject({
        method,
        url: `/webhooks/${testShop.shop.orgId}/storefront-a`,
      });
      expect(answer.statusCode, method).toBe(405);
      expect(answer.headers.allow).toBe('POST');
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });

  test('with 400 for a signed body that cannot be read, which is recorded all the same', async () => {
    const testShop = await openTestShop();
    const answer = await send(testShop, signed(new TextEncoder().encode('{"id":')));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: expect.any(String) });
    const [line] = testShop.log.requests();
    expect(
      await testShop.stores.deliveries.find(testShop.shop.orgId, String(line?.deliveryId)),
    ).toMatchObject({
      status: 'error',
    });
  });

  test('with 400 for a signed empty body', async ({ testShop }) => {
    expect((await send(testShop, signed(new Uint8Array()))).statusCode).toBe(400);
  });

  test('with 413 above 5 MiB, but not at exactly that size', async ({ testShop }) => {
    const limit = 5 * 1024 * 1024;
    const padded = (length: number) => {
      const body = Buffer.alloc(length, ' ');
      body.set(sampleOrder());
      return signed(body);
    };
    expect((await send(testShop, padded(limit))).statusCode).toBe(200);
    const answer = await send(testShop, padded(limit + 1));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toEqual({ error: expect.any(String) });
  });

  test('with 503 and Retry-After when recording fails, whatever the reason', async () => {
    const testShop = await openTestShop(({ deliveries }) => ({
      deliveries: { ...deliveries, record: async () => Promise.reject(new Error('disk full')) },
    }));
    const answer = await send(testShop);
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body).not.toContain('disk full');
    expect(testShop.log.requests()[0]).toMatchObject({ status: 503, err: { message: 'disk full' } });
  });
});

function translateSample(
  payload: unknown,
  headers: Readonly<Record<string, string>>,
): readonly TranslatedEntry[] {
  const translation = storefrontA.translate(payload, headers);
  if ('kind' in translation) throw new Error(translation.problem);
  return translation;
}
