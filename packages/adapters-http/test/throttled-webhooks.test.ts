import { MAX_REJECTED_PER_SOURCE } from '@handover/domain';
import { sampleOrder, signForTest } from '@handover/platform-storefront-a/testing';
import { describe, expect, test } from 'vitest';
import { MAX_REFUSALS, REFUSALS_WINDOW_MS } from '../src/webhooks/throttle-refused.ts';
import {
  ATTACKER,
  CART_SECRET,
  genuine,
  NOBODY,
  openShop,
  refusedTimes,
  type Sent,
  SHOP,
  sendFrom,
  sendMany,
} from './flood-webhooks.ts';

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

  test('are not throttled for 30 days after the last genuine request, however early the first one came', async () => {
    const shop = await openShop();
    const DAY = 24 * 60 * 60 * 1000;
    for (const days of [0, 29]) {
      shop.clock.advance(days * DAY);
      expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
    }
    shop.clock.advance(29 * DAY);
    expect(await sendMany(shop, ATTACKER, MAX_REFUSALS + 5)).toEqual(refusedTimes(MAX_REFUSALS + 5));
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(200);
    shop.clock.advance(61 * DAY);
    await sendMany(shop, ATTACKER, MAX_REFUSALS);
    expect((await sendFrom(shop, ATTACKER, genuine)).statusCode).toBe(429);
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
