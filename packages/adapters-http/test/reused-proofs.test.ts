import { type PlatformWebhook, refuse } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { expect, test } from 'vitest';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { SALE, send } from './send-webhook.ts';

const alwaysOneProof: PlatformWebhook = {
  ...storefrontA,
  proofOfOrigin: {
    fingerprint: () => 'f'.repeat(64),
    checkStrictly: () => null,
    reused: { note: 'Seen before.', refusal: refuse('Was seen before.') },
  },
};

async function openShop(strict: boolean): Promise<TestShop> {
  const testShop = await openTestShop(undefined, { platforms: [alwaysOneProof] });
  await testShop.stores.connections.setRules(testShop.shop.orgId, 'storefront-a', 'main', { strict });
  return testShop;
}

const order = (orderId: string) => signedSample('test-secret', { ...SALE, orderId });

test('a reused proof is accepted with a note that survives fulfilment', async () => {
  const shop = await openShop(false);
  await send(shop, order('1'));
  const answer = await send(shop, order('2'));
  expect([answer.statusCode, answer.json().status]).toEqual([200, 'pending']);
  const shown = await shop.stores.deliveries.show(shop.shop.orgId, answer.json().deliveryId);
  expect(shown?.note).toBe('Seen before.');
});

test('a reused proof is answered with 401 on a strict connection, and its order is not logged', async () => {
  const shop = await openShop(true);
  const first = order('1');
  expect((await send(shop, first)).statusCode).toBe(200);
  const answer = await send(shop, order('2'));
  expect([answer.statusCode, answer.json()]).toEqual([401, { error: 'Was seen before.' }]);
  expect((await send(shop, first)).statusCode).toBe(200);
  const all = { status: null, platform: null, before: null, limit: 10 };
  const log = await shop.stores.deliveries.list(shop.shop.orgId, all);
  expect(log.map(({ orderId }) => orderId)).toEqual(['1', '1']);
  expect(await shop.stores.rejected.summary(shop.shop.orgId)).toMatchObject([{ count: 1 }]);
});

test('a connection is strict at once, even if another process has just made it so', async () => {
  const testShop = await openTestShop(
    ({ connections }) => ({
      connections: {
        ...connections,
        // What this process remembers of the time before.
        list: async (orgId, platform, now, seen) => {
          const listed = (await connections.list(orgId, platform, now, seen)) ?? [];
          if (seen !== 'recent') return listed;
          return listed.map((shop) => ({ ...shop, rules: { ...shop.rules, strict: false } }));
        },
      },
    }),
    { platforms: [alwaysOneProof] },
  );
  await testShop.stores.connections.setRules(testShop.shop.orgId, 'storefront-a', 'main', { strict: true });
  expect((await send(testShop, order('1'))).statusCode).toBe(200);
  expect((await send(testShop, order('2'))).statusCode).toBe(401);
});
