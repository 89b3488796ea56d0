import { findSigner, isSameSecret, type PlatformWebhook, refuse } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { describe, expect } from 'vitest';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

const triesByHead: PlatformWebhook = {
  ...storefrontA,
  triesByHead: true,
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  verify: ({ query: { secret } }, connections) =>
    typeof secret === 'string' && secret !== ''
      ? findSigner(connections, (known) => isSameSecret(known, secret))
      : refuse('The webhook URL holds no secret.'),
};
const PLATFORMS = { platforms: [triesByHead] };

function head({ app, shop }: TestShop, query: string, orgId = shop.orgId) {
  return app.inject({ method: 'HEAD', url: `/webhooks/${orgId}/storefront-a${query}` });
}

describe('a trial of the address by HEAD', () => {
  test('is answered with 200 for the right secret, and records nothing', async () => {
    const testShop = await openTestShop(undefined, PLATFORMS);
    const answer = await head(testShop, '?secret=test-secret');
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    const all = { status: null, platform: null, before: null, limit: 10 };
    expect(await testShop.stores.deliveries.list(testShop.shop.orgId, all)).toEqual([]);
    expect(await testShop.stores.queuedJobs()).toEqual([]);
  });

  test.each(['', '?secret=', '?secret=wrong', '?secret=test-secret&secret=test-secret'])(
    'is 401 with %j, and is not counted as a rejected delivery',
    async (query) => {
      const testShop = await openTestShop(undefined, PLATFORMS);
      expect((await head(testShop, query)).statusCode).toBe(401);
      expect(await testShop.stores.rejected.summary(testShop.shop.orgId)).toEqual([]);
    },
  );

  test('is answered with 404 for an unknown organisation', async () => {
    const testShop = await openTestShop(undefined, PLATFORMS);
    const unknown = await head(testShop, '?secret=test-secret', '018f0000-0000-7000-8000-000000000000');
    expect(unknown.statusCode).toBe(404);
  });

  test('is answered with 503 while the database is unavailable', async () => {
    const testShop = await openTestShop(({ connections }) => {
      const list = () => Promise.reject(new Error('gone'));
      return { connections: { ...connections, list } };
    }, PLATFORMS);
    const answer = await head(testShop, '?secret=test-secret');
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
  });

  test('is answered with 405 where the platform does not test by HEAD', async ({ testShop }) => {
    const answer = await head(testShop, '');
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  });

  test('leaves 405 for the other methods', async () => {
    const testShop = await openTestShop(undefined, PLATFORMS);
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await testShop.app.inject({
        method,
        url: `/webhooks/${testShop.shop.orgId}/storefront-a`,
      });
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, 'HEAD, POST']);
    }
  });
});
