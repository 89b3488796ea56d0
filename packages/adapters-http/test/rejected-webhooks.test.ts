import {
  ALERT_DELAY_MS,
  FORMER_SECRET_LIFETIME_MS,
  type Rejection,
  setIntegrationSecret,
} from '@handover/domain';
import { findSigner, isSameSecret, type PlatformWebhook } from '@handover/platform-contract';
import { storefrontA } from '@handover/platform-storefront-a';
import { sampleOrder, signedSample, signForTest } from '@handover/platform-storefront-a/testing';
import { claimEmail } from '@handover/testkit';
import { describe, expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { SALE, send } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

const LONG_AGO = new Date(0);

/** Sends an order that is signed with a secret that nobody set up. */
function sendForged(testShop: TestShop, more: Record<string, string> = {}) {
  const { body, headers, query } = signedSample('another-secret', SALE);
  return send(testShop, { body, query, headers: { ...headers, ...more } });
}

const keptOf = ({ stores, shop }: TestShop) => stores.rejected.list(shop.orgId, 'storefront-a', LONG_AGO);
const summaryOf = ({ stores, shop }: TestShop) => stores.rejected.summary(shop.orgId);

/** Like cart-a: the sender puts the secret into the URL. */
const secretInUrl: PlatformWebhook = {
  ...storefrontA,
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  verify: ({ query }, connections) =>
    findSigner(connections, (secret) => isSameSecret(secret, String(query.secret))),
};

describe('a rejected webhook', () => {
  test('is counted, and stored with its signature and the headers that translation reads', async () => {
    const testShop = await openTestShop();
    const sent = signedSample('another-secret', SALE);
    expect(
      (await sendForged(testShop, { 'x-shopify-topic': 'orders/paid', cookie: 'biscuit' })).statusCode,
    ).toBe(401);
    const reason = 'The signature fits none of the secrets that are set up.';
    expect(await summaryOf(testShop)).toEqual([
      { platform: 'storefront-a', count: 1, kept: 1, lastAt: testShop.clock.now(), lastReason: reason },
    ]);
    const [kept] = await keptOf(testShop);
    expect(kept).toMatchObject({ orgId: testShop.shop.orgId, reason, secretFingerprint: null });
    expect(kept?.headers).toMatchObject({
      'x-shopify-topic': 'orders/paid',
      'x-storefront-a-hmac-sha256': sent.headers['x-storefront-a-hmac-sha256'],
    });
    expect(kept?.headers).not.toHaveProperty('cookie');
    expect(Buffer.from(kept?.bytes ?? []).equals(Buffer.from(sent.body))).toBe(true);
  });

  test('is stored before the platform is set up too', async () => {
    const testShop = await openTestShop(({ connections }) => ({
      connections: { ...connections, list: async () => [] },
    }));
    expect((await send(testShop)).statusCode).toBe(401);
    expect(await keptOf(testShop)).toHaveLength(1);
  });

  test('is mailed once, without a word of it, where nothing was ever accepted: a secret may be mistyped', async () => {
    const testShop = await openTestShop();
    for (const orderId of ['1', '2', '3'])
      await send(testShop, signedSample('a-mistyped-secret', { ...SALE, orderId }));
    testShop.clock.advance(ALERT_DELAY_MS);
    const [job, ...more] = await testShop.stores.queuedJobs();
    expect([job, more]).toMatchObject([{ kind: 'send-email', emailKind: 'alert' }, []]);
    const mailId = job?.kind === 'send-email' ? job.emailId : '';
    const { shop, stores, clock } = testShop;
    expect(await claimEmail(stores, shop.orgId, mailId, clock.now())).toMatchObject({
      email: { alerts: [{ cause: 'rejected', orderNumber: null, customerEmail: null }], more: 0 },
    });
  });

  test('is only counted without a signature: no secret will ever verify it', async ({ testShop }) => {
    await send(testShop, { ...signedSample('test-secret', SALE), headers: {} });
    expect(await summaryOf(testShop)).toMatchObject([
      { count: 1, kept: 0, lastReason: 'The signature is missing.' },
    ]);
  });

  test('is only counted above 256 KiB', async ({ testShop }) => {
    for (const length of [256 * 1024, 256 * 1024 + 1]) {
      const body = Buffer.alloc(length, ' ');
      body.set(sampleOrder());
      await send(testShop, { body, query: {}, headers: signForTest('another-secret', body) });
    }
    expect(await summaryOf(testShop)).toMatchObject([{ count: 2, kept: 1 }]);
  });

  test('is refused and counted, however often a platform fails at it, and later ones are stored', async () => {
    let isBroken = true;
    const inBody = () => {
      if (isBroken) throw new Error('A bug of this platform.');
      return true;
    };
    const credential = { kind: 'signature', headers: ['x-sign'], inBody } as const;
    const platforms = [{ ...storefrontA, credential, maxUnsignedBytes: 10_000 }];
    const testShop = await openTestShop(undefined, { platforms });
    for (let sent = 0; sent < 5; sent += 1) expect((await sendForged(testShop)).statusCode).toBe(401);
    isBroken = false;
    expect((await sendForged(testShop)).statusCode).toBe(401);
    expect(await summaryOf(testShop)).toMatchObject([{ count: 6, kept: 1 }]);
  });

  test('does not include genuine webhooks and unknown organisations', async ({ testShop }) => {
    await send(testShop);
    await send({ ...testShop, shop: { ...testShop.shop, orgId: '018f0000-0000-7000-8000-000000000000' } });
    expect(await summaryOf(testShop)).toEqual([]);
  });

  test('leaves only the fingerprint of the secret in its URL', async () => {
    const testShop = await openTestShop(undefined, { platforms: [secretInUrl] });
    const url = `/webhooks/${testShop.shop.orgId}/storefront-a?secret=hush-hush`;
    const sent = { method: 'POST', url, payload: Buffer.from(sampleOrder()) } as const;
    expect((await testShop.app.inject(sent)).statusCode).toBe(401);
    const [kept] = await keptOf(testShop);
    const { secretFingerprint, ...rest } = kept ?? { secretFingerprint: null };
    expect(JSON.stringify([rest, await summaryOf(testShop), testShop.log.lines])).not.toContain('hush');
    expect(secretFingerprint).toBe(testShop.ports.secretFingerprints.make(testShop.shop.orgId, 'hush-hush'));
  });
});

describe('a rejected webhook that a secret signed which has ended', () => {
  /** The secret that the shop signs with was replaced, and the day in which it still verifies is over. */
  async function openRotatedShop() {
    const testShop = await openTestShop();
    const { orgId } = testShop.shop;
    const set = {
      orgId,
      platform: 'storefront-a',
      name: 'main',
      secret: 'the-new-secret-of-the-shop',
    } as const;
    const replaced = await setIntegrationSecret({ ...testShop.ports, ...testShop.stores }, set);
    expect(replaced.kind).toBe('replaced');
    testShop.clock.advance(FORMER_SECRET_LIFETIME_MS);
    return testShop;
  }

  test('is mailed as an alert that names its order', async () => {
    const testShop = await openRotatedShop();
    const { stores, shop, clock } = testShop;
    expect((await send(testShop)).statusCode).toBe(401);
    expect((await send(testShop)).statusCode).toBe(401);
    clock.advance(ALERT_DELAY_MS);
    const [job, ...more] = await stores.queuedJobs();
    expect([job, more]).toMatchObject([{ kind: 'send-email', emailKind: 'alert' }, []]);
    const mailId = job?.kind === 'send-email' ? job.emailId : '';
    expect(await claimEmail(stores, shop.orgId, mailId, clock.now())).toMatchObject({
      email: {
        alerts: [
          {
            cause: 'rejected',
            platform: 'storefront-a',
            orderNumber: '#5001',
            reason: 'It is signed with a secret that was replaced here and has ended.',
          },
        ],
        more: 0,
      },
    });
  });

  test('cannot be had by anybody else: once a delivery was accepted, no other request causes a mail', async () => {
    const testShop = await openRotatedShop();
    await send(testShop, signedSample('the-new-secret-of-the-shop', { ...SALE, orderId: '7' }));
    const queued = await testShop.stores.queuedJobs();
    const { body, headers, query } = signedSample('test-secret', SALE);
    const altered = Buffer.concat([Buffer.from(body), Buffer.from(' ')]);
    for (const request of [signedSample('another-secret', SALE), { body: altered, headers, query }])
      expect((await send(testShop, request)).statusCode).toBe(401);
    expect(await keptOf(testShop)).toHaveLength(2);
    expect(await testShop.stores.queuedJobs()).toEqual(queued);
  });

  test('is not listed any more once its order is sent again and accepted', async () => {
    const testShop = await openRotatedShop();
    await send(testShop);
    expect(await keptOf(testShop)).toHaveLength(1);
    testShop.clock.advance(1000);
    await send(testShop, signedSample('the-new-secret-of-the-shop', SALE));
    expect(await keptOf(testShop)).toEqual([]);
    expect(await summaryOf(testShop)).toMatchObject([{ count: 1, kept: 0 }]);
  });
});

describe('when rejections cannot be written', () => {
  test('a rejected webhook is answered with 401 all the same, and the log says why', async () => {
    const testShop = await openTestShop(({ rejected }) => ({
      rejected: { ...rejected, record: async () => Promise.reject(new Error('disk full')) },
    }));
    const answer = await sendForged(testShop);
    expect([answer.statusCode, answer.body.includes('disk full')]).toEqual([401, false]);
    expect(testShop.log.requests()[0]).toMatchObject({ status: 401, err: { message: 'disk full' } });
  });

  test('the answer is 401 within half a second even if the store hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let asked = false;
      const record = () => {
        asked = true;
        return new Promise<void>(() => undefined);
      };
      const testShop = await openTestShop(({ rejected }) => ({ rejected: { ...rejected, record } }));
      const sending = sendForged(testShop);
      await vi.waitUntil(() => asked, WAIT_TIMEOUT_MS);
      await vi.advanceTimersByTimeAsync(500);
      expect((await sending).statusCode).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a flood causes few concurrent writes, and the omitted ones are counted with the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const written: Rejection[] = [];
      const slow = Promise.withResolvers<void>();
      const testShop = await openTestShop(({ rejected }) => ({
        rejected: {
          ...rejected,
          record: async (rejection) => {
            written.push(rejection);
            await slow.promise;
          },
        },
      }));
      let answered = 0;
      const flood = Array.from({ length: 20 }, async () => {
        const { statusCode } = await sendForged(testShop);
        answered += 1;
        return statusCode;
      });
      await vi.waitUntil(() => answered >= 17, WAIT_TIMEOUT_MS);
      slow.resolve();
      expect(await Promise.all(flood)).toEqual(Array(20).fill(401));
      await sendForged(testShop);
      expect(written.map(({ count }) => count)).toEqual([1, 1, 1, 18]);
    } finally {
      vi.useRealTimers();
    }
  });
});
