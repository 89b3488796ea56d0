import { setIntegrationSecret } from '@handover/domain';
import { findSigner, isSameSecret, type PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import type { HttpPorts } from '../src/index.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { SALE } from './send-webhook.ts';

export const ATTACKER = '203.0.113.7';

export const SHOP = '198.51.100.1';

export const CART_SECRET = 'a-secret-of-the-cart';

export const NOBODY = '018f0000-0000-7000-8000-000000000000';

/** Like cart-a. */
export const secretInUrl: PlatformWebhook = {
  ...storefrontA,
  label: 'cart-a',
  triesByHead: true,
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  verify: ({ query }, connections) =>
    findSigner(connections, (secret) => isSameSecret(secret, String(query.secret))),
};

/** Behind a proxy that says who sends. */
export async function openShop(changePorts?: (ports: HttpPorts) => Partial<HttpPorts>) {
  const testShop = await openTestShop(changePorts, {
    trustProxy: true,
    platforms: [storefrontA, secretInUrl],
  });
  const { orgId } = testShop.shop;
  await setIntegrationSecret(testShop.ports, {
    orgId,
    platform: 'cart-a',
    name: 'main',
    secret: CART_SECRET,
  });
  return testShop;
}

export interface Sent {
  readonly secret?: string;
  readonly platform?: string;
  readonly orgId?: string;
  readonly method?: 'POST' | 'HEAD';
}

export function sendFrom(testShop: TestShop, ip: string, sent: Sent = {}) {
  const {
    secret = 'a-guess',
    platform = 'storefront-a',
    orgId = testShop.shop.orgId,
    method = 'POST',
  } = sent;
  const { body, headers } = signedSample(secret, SALE);
  const query = platform === 'cart-a' ? `?secret=${secret}` : '';
  const url = `/webhooks/${orgId}/${platform}${query}`;
  const all = { ...headers, 'x-forwarded-for': ip };
  return testShop.app.inject({
    method,
    url,
    headers: all,
    ...(method === 'POST' ? { payload: Buffer.from(body) } : {}),
  });
}

export async function sendMany(
  testShop: TestShop,
  ip: string,
  times: number,
  sent?: Sent,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < times; at += 1) statuses.push((await sendFrom(testShop, ip, sent)).statusCode);
  return statuses;
}

export const refusedTimes = (times: number, status = 401) => Array<number>(times).fill(status);

export const genuine = { secret: 'test-secret' };
