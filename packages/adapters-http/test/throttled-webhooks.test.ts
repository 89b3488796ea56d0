import { MAX_REJECTED_PER_SOURCE, setIntegrationSecret } from '@handover/domain';
import { findSigner, isSameSecret, type PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { sampleOrder, signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import { createManualClock } from '@handover/testkit';
import { describe, expect, test } from 'vitest';
import type { HttpPorts } from '../src/index.ts';
import {
  createBoundedMap,
  createRefusalThrottle,
  MAX_REFUSALS,
  REFUSALS_WINDOW_MS,
} from '../src/webhooks/throttle-refused.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { SALE } from './send-webhook.ts';

const ATTACKER = '203.0.113.7';
const SHOP = '198.51.100.1';
const CART_SECRET = 'a-secret-of-the-cart';
const NOBODY = '018f0000-0000-7000-8000-000000000000';

/** Like cart-a. */
const secretInUrl: PlatformWebhook = {
  ...storefrontA,
  label: 'cart-a',
  triesByHead: true,
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  verify: ({ query }, connections) =>
    findSigner(connections, (secret) => isSameSecret(secret, String(query.secret))),
};

/** Behind a proxy that says who sends. */
async function openShop(changePorts?: (ports: HttpPorts) => Partial<HttpPorts>) {
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

interface Sent {
  readonly secret?: string;
  readonly platform?: string;
  readonly orgId?: string;
  readonly method?: 'POST' | 'HEAD';
}

function sendFrom(testShop: TestShop, ip: string, sent: Sent = {}) {
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

async function sendMany(
  testShop: TestShop,
  ip: string,
  times: number,
  sent?: Sent,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < times; at += 1) statuses.push((await sendFrom(testShop, ip, sent)).statusCode);
  return statuses;
}

const refusedTimes = (times: number, status = 401) => Array<number>(times).fill(status);
const genuine = { secret: 'test-secret' };

describe('refused webhooks of one network', () => {
  test.each<[string, Sent]>([
    ['forged signatures', {}],
    ['guesses of the secret in the URL', { platform: 'cart-a' }],
    ['guesses by HEAD', { platform: 'cart-a', method: 'HEAD' }],
  ])('are answered with 429 without verification once %s were refused too often', async (_case, sent) => {
    const shop = await openShop();
    expect(await sendMany(shop, ATTACKER, MAX_REFUSALS, sent)).toEqual(refusedTimes(MAX_REFUSALS));
    const guess = sent.platform ? { ...sent, secret: CART_SECRET } : genuine;
    const throttled = await sendFrom(shop, ATTACKER, guess);
    expect(throttled.statusCode).toBe(429);
    expect(Number(throttled.headers['retry-after'])).toBe(REFUSALS_WINDOW_MS / 1000);
    expect(JSON.stringify(shop.log.requests())).not.toContain(CART_SECRET);
  });

  test('are explained in JSON', async () => {
    const shop = await openShop();
    await sendMany(shop, ATTACKER, MAX_REFUSALS);
    expect((await sendFrom(shop, ATTACKER)).json()).toEqual({
      error: 'Too many requests from this address were refused. Check the secret, and send it again later.',
    });
  });

  test('do not affect genuine deliveries from other networks', async () => {
    const shop = await openShop();
    await sendMany(shop, ATTACKER, MAX_REFUSALS + 5);
    expect((await sendFrom(shop, SHOP, genuine)).statusCode).toBe(200);
    expect((await sendFrom(shop, '203.0.113.8', genuine)).statusCode).toBe(200);
  });

  test('are counted for a whole IPv6 /64, and for no other', async () => {
    const shop = await openShop();
    for (let at = 0; at < MAX_REFUSALS; at += 1) await sendFrom(shop, `2001:db8:0:1::${at.toString(16)}`);
    expect((await sendFrom(shop, '2001:db8:0:1:ffff::1')).statusCode).toBe(429);
    expect((await sendFrom(shop, '2001:db8:0:2::1')).statusCode).toBe(401);
  });

  test('are counted per organisation', async () => {
    const shop = await openShop();
    await sendMany(shop, ATTACKER, MAX_REFUSALS);
    expect((await sendFrom(shop, ATTACKER, { orgId: NOBODY })).statusCode).toBe(404);
    expect((await sendFrom(shop, ATTACKER, { orgId: shop.shop.orgId.toUpperCase() })).statusCode).toBe(429);
  });

  test('are accepted again when the window ends', async () => {
    const shop = await openShop();
    await sendMany(shop, ATTACKER, MAX_REFUSALS);
    shop.clock.advance(REFUSALS_WINDOW_MS - 1000);
    expect((await sendFrom(shop, ATTACKER, genuine)).headers['retry-after']).toBe('1');
    shop.clock.advance(1000);
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
  });

  test('count only when they were refused: genuine ones never count', async () => {
    const shop = await openShop();
    await sendMany(shop, ATTACKER, MAX_REFUSALS - 1);
    expect(await sendMany(shop, SHOP, MAX_REFUSALS + 5, genuine)).toEqual(
      refusedTimes(MAX_REFUSALS + 5, 200),
    );
  });

  test('are not throttled where a genuine request came from: a vendor or a proxy may be shared', async () => {
    const shop = await openShop();
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
    expect(await sendMany(shop, ATTACKER, MAX_REFUSALS + 5)).toEqual(refusedTimes(MAX_REFUSALS + 5));
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
  });

  test('do not count before the platform is set up', async () => {
    const shop = await openShop(({ connections }) => ({
      connections: { ...connections, list: async () => [] },
    }));
    expect(await sendMany(shop, SHOP, MAX_REFUSALS + 5)).toEqual(refusedTimes(MAX_REFUSALS + 5));
  });

  test('are still stored when they are throttled, so that a wrong secret here loses no order', async () => {
    const shop = await openShop();
    const send = (at: number) => {
      const body = Buffer.from(sampleOrder({ orderId: `${at}` }));
      const headers = { ...signForTest('the-right-one', body), 'x-forwarded-for': SHOP };
      return shop.app.inject({
        method: 'POST',
        url: `/webhooks/${shop.shop.orgId}/storefront-a`,
        headers,
        payload: body,
      });
    };
    for (let at = 0; at < MAX_REFUSALS + 10; at += 1) await send(at);
    const kept = await shop.stores.rejected.list(shop.shop.orgId, 'storefront-a', new Date(0));
    expect(kept).toHaveLength(MAX_REJECTED_PER_SOURCE);
    expect(kept.slice(-10).map(({ reason }) => reason)).toEqual(
      Array(10).fill(
        'Too many requests from this address were refused. Check the secret, and send it again later.',
      ),
    );
  });

  test('cost few writes: beyond the limit no more than are stored', async () => {
    let writes = 0;
    const shop = await openShop(({ rejected, throttles }) => ({
      rejected: {
        ...rejected,
        record: async (rejection) => {
          writes += 1;
          await rejected.record(rejection);
        },
      },
      throttles: {
        ...throttles,
        count: (...tries) => {
          writes += 1;
          return throttles.count(...tries);
        },
      },
    }));
    await sendMany(shop, ATTACKER, MAX_REFUSALS + MAX_REJECTED_PER_SOURCE);
    const before = writes;
    await sendMany(shop, ATTACKER, 300);
    expect(writes - before).toBe(0);
    expect(before).toBeLessThanOrEqual(2 * MAX_REFUSALS + MAX_REJECTED_PER_SOURCE);
    const kept = await shop.stores.rejected.list(shop.shop.orgId, 'storefront-a', new Date(0));
    expect(kept.every(({ source }) => source === `${shop.shop.orgId} from ${ATTACKER}`)).toBe(true);
  });
});

describe('requests for organisations that do not exist', () => {
  test('are throttled by network without a query, but known organisations stay reachable', async () => {
    let lookups = 0;
    const shop = await openShop(({ connections }) => ({
      connections: {
        ...connections,
        list: (...of) => {
          lookups += 1;
          return connections.list(...of);
        },
      },
    }));
    await sendFrom(shop, SHOP, genuine);
    const orgIdOf = (at: number) => `018f0000-0000-7000-8000-${at.toString(16).padStart(12, '0')}`;
    for (let at = 0; at < MAX_REFUSALS; at += 1) {
      expect((await sendFrom(shop, ATTACKER, { orgId: orgIdOf(at) })).statusCode).toBe(404);
    }
    const before = lookups;
    expect((await sendFrom(shop, ATTACKER, { orgId: NOBODY })).statusCode).toBe(429);
    expect(lookups).toBe(before);
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
    expect((await sendFrom(shop, SHOP, { orgId: NOBODY })).statusCode).toBe(404);
  });
});

test('are not even counted once they are throttled', async () => {
  const testShop = await openTestShop();
  const unlessThrottled = createRefusalThrottle(testShop.ports);
  const send = (orgId: string) =>
    unlessThrottled(orgId, ATTACKER, async () => ({ kind: 'unknown-organisation' }));
  for (let at = 0; at < MAX_REFUSALS; at += 1) await send(`org-${at}`);
  expect(await send('another')).toMatchObject({ kind: 'throttled', noted: 'not' });
});

describe('several processes on one database', () => {
  const refused = async () => ({ kind: 'refused' }) as const;

  function openProcesses(testShop: TestShop) {
    const open = () => createRefusalThrottle({ ...testShop.ports, clock: testShop.clock });
    return [open(), open()] as const;
  }

  test('count together', async () => {
    const testShop = await openTestShop();
    const [one, other] = openProcesses(testShop);
    for (let at = 0; at < MAX_REFUSALS; at += 1) await one('org', ATTACKER, refused);
    // The second one learns of it with the first refusal of its own.
    expect((await other('org', ATTACKER, refused)).kind).toBe('refused');
    expect((await other('org', ATTACKER, refused)).kind).toBe('throttled');
  });

  test('exempt a network that sent something genuine to another process', async () => {
    const testShop = await openTestShop();
    const [one, other] = openProcesses(testShop);
    await one('org', ATTACKER, async () => ({ kind: 'recorded' }));
    for (let at = 0; at < MAX_REFUSALS + 5; at += 1)
      expect((await other('org', ATTACKER, refused)).kind).toBe('refused');
  });

  test('write a flood in a few statements', async () => {
    const testShop = await openTestShop();
    const slow = Promise.withResolvers<void>();
    let writes = 0;
    const throttles: HttpPorts['throttles'] = {
      ...testShop.stores.throttles,
      count: async (...tries) => {
        writes += 1;
        await slow.promise;
        return testShop.stores.throttles.count(...tries);
      },
    };
    const unlessThrottled = createRefusalThrottle({ ...testShop.ports, throttles });
    const flood = Array.from({ length: 80 }, () => unlessThrottled('org', ATTACKER, refused));
    slow.resolve();
    await Promise.all(flood);
    await unlessThrottled('org', ATTACKER, refused);
    expect(writes).toBe(2);
    const counted = await testShop.stores.throttles.find(
      'refused org from 203.0.113.7',
      testShop.clock.now(),
    );
    expect(counted?.tries).toBe(81);
  });

  test('continue to count after a failed write', async () => {
    const testShop = await openTestShop();
    let fails = true;
    const throttles: HttpPorts['throttles'] = {
      ...testShop.stores.throttles,
      count: (...tries) =>
        fails ? Promise.reject(new Error('away')) : testShop.stores.throttles.count(...tries),
    };
    const unlessThrottled = createRefusalThrottle({ ...testShop.ports, throttles });
    for (let at = 0; at < 3; at += 1) await unlessThrottled('org', ATTACKER, refused);
    fails = false;
    await unlessThrottled('org', ATTACKER, refused);
    const counted = await testShop.stores.throttles.find(
      'refused org from 203.0.113.7',
      createManualClock().now(),
    );
    expect(counted?.tries).toBe(4);
  });
});

describe('the memory of a process', () => {
  test('is bounded, and evicts the least recently used entries', () => {
    const remembered = createBoundedMap<number>(3);
    for (const key of ['a', 'b', 'c']) remembered.set(key, 1);
    remembered.get('a');
    for (const key of ['d', 'e']) remembered.set(key, 1);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => remembered.get(key))).toEqual(['a', 'd', 'e']);
    for (let at = 0; at < 1000; at += 1) remembered.set(`${at}`, 1);
    expect(remembered.size()).toBe(3);
  });
});
