import { once } from 'node:events';
import { findSigner, isSameSecret, type PlatformWebhook, refuse } from '@handover/platform-contract';
import { paymentsA, readTenantRef } from '@handover/platform-payments-a';
import { storefrontA } from '@handover/platform-storefront-a';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, vi } from 'vitest';
import { MAX_REFUSALS } from '../src/webhooks/throttle-refused.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import { SALE, send } from './send-webhook.ts';
import { test } from './test-in-shop.ts';

const KIB = 1024;
const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const ANNOUNCED = `Content-Length: ${5000 * KIB}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const SIGNED = 'X-Storefront-A-Hmac-Sha256: x';

/** Sends the head of a delivery, and `begun` of its body; the rest never comes. */
async function sendHead(
  testShop: TestShop,
  headers: readonly string[],
  path = ownPath(testShop),
  begun = '',
) {
  const socket = await dial(await listen(testShop.app), [`POST ${path} HTTP/1.1`, 'Host: x', ...headers]);
  socket.write(begun);
  const [answer] = await once(socket, 'data');
  return String(answer);
}

function ownPath({ shop }: TestShop): string {
  return `/webhooks/${shop.orgId}/storefront-a`;
}

const notSetUp: Parameters<typeof openTestShop>[0] = ({ connections }) => ({
  connections: { ...connections, list: async () => [] },
});

const secretInUrl: PlatformWebhook = {
  ...storefrontA,
  credential: { kind: 'secret-in-url', parameter: 'secret' },
  verify: ({ query: { secret } }, connections) =>
    typeof secret === 'string'
      ? findSigner(connections, (known) => isSameSecret(secret, known))
      : refuse('The webhook URL holds no secret.'),
};

/** Like storefront-b: saving its webhook sends a short form, unsigned. */
const pings: PlatformWebhook = {
  ...storefrontA,
  maxUnsignedBytes: 40,
  isPing: ({ body }) => new TextDecoder().decode(body) === 'webhook_id=1',
};

/** Like checkout-a-classic: the credential may stand in the body. */
const signedInBody: PlatformWebhook = {
  ...storefrontA,
  maxUnsignedBytes: 256 * KIB,
  verify: ({ body }, connections) =>
    findSigner(connections, (secret) => new TextDecoder().decode(body).includes(secret)),
};

function summaryOf({ stores, shop }: TestShop) {
  return stores.rejected.summary(shop.orgId);
}

describe('before a byte of its body is read, a delivery', () => {
  test.each([ANNOUNCED, CHUNKED])('to an unknown organisation is answered with 404 (%s)', async (length) => {
    const testShop = await openTestShop();
    const answer = await sendHead(testShop, [SIGNED, length], `/webhooks/${UNKNOWN}/storefront-a`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 [\s\S]*\{"error":"There is no such organisation/);
  });

  test.each([ANNOUNCED, CHUNKED])(
    'without a signature is answered with 401, and counted (%s)',
    async (length) => {
      const testShop = await openTestShop();
      const answer = await sendHead(testShop, [length]);
      expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*\{"error":"The signature is missing\."\}/);
      expect(await summaryOf(testShop)).toMatchObject([
        { count: 1, kept: 0, lastReason: 'The signature is missing.' },
      ]);
    },
  );

  test.each(['', '?secret=', '?other=x'])('without its secret in the URL is 401 (“%s”)', async (query) => {
    const testShop = await openTestShop(undefined, { platforms: [secretInUrl] });
    expect(await sendHead(testShop, [ANNOUNCED], `${ownPath(testShop)}${query}`)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await summaryOf(testShop)).toMatchObject([{ count: 1, kept: 0 }]);
  });

  test('to the shared platform without a signature is answered with 401', async ({ testShop }) => {
    expect(await sendHead(testShop, [ANNOUNCED], '/webhooks/payments-a')).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('to the shared platform that is not set up is answered with 401, though it is signed', async () => {
    const testShop = await openTestShop(undefined, {
      sharedPlatform: { webhook: paymentsA, secrets: [], readTenantRef },
    });
    const answer = await sendHead(
      testShop,
      ['Stripe-Signature: t=1,v1=x', ANNOUNCED],
      '/webhooks/payments-a',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*not set up/);
  });

  test.each([
    ['unsigned', ['Content-Length: 10']],
    ['signed, and larger than what is kept', [SIGNED, `Content-Length: ${256 * KIB + 1}`]],
  ])('to a platform that is not set up is answered with 401: %s', async (_name, headers) => {
    const testShop = await openTestShop(notSetUp);
    expect(await sendHead(testShop, headers)).toMatch(/^HTTP\/1\.1 401 [\s\S]*not set up/);
    expect(await summaryOf(testShop)).toMatchObject([{ count: 1, kept: 0 }]);
  });

  test.each([
    ['unsigned', [ANNOUNCED]],
    ['signed, and larger than what is kept', [SIGNED, ANNOUNCED]],
    ['signed, and longer than what is kept', [SIGNED, CHUNKED], 256 * KIB + 1],
  ])('of a throttled network is answered with 429: %s', async (_name, headers, bytes = 0) => {
    const testShop = await openTestShop();
    const { body, headers: forged } = signedSample('a-guess', SALE);
    for (let at = 0; at < MAX_REFUSALS; at += 1) await send(testShop, { body, query: {}, headers: forged });
    const begun = bytes === 0 ? '' : `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;
    expect(await sendHead(testShop, headers, ownPath(testShop), begun)).toMatch(
      /^HTTP\/1\.1 429 [\s\S]*retry-after: \d+/i,
    );
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('by %s is 405', async (method) => {
    const testShop = await openTestShop();
    const socket = await dial(await listen(testShop.app), [
      `${method} ${ownPath(testShop)} HTTP/1.1`,
      'Host: x',
      ANNOUNCED,
    ]);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 405 /);
  });

  test('is answered with 503 while the database is unavailable', async () => {
    const testShop = await openTestShop(({ connections }) => ({
      connections: { ...connections, list: () => Promise.reject(new Error('gone')) },
    }));
    expect(await sendHead(testShop, [SIGNED, ANNOUNCED])).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after/i);
  });
});

test('counts towards the throttle when it is refused', async ({ testShop }) => {
  const port = await listen(testShop.app);
  for (let at = 0; at < MAX_REFUSALS; at += 1) {
    const socket = await dial(port, [`POST ${ownPath(testShop)} HTTP/1.1`, 'Host: x', CHUNKED]);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  }
  expect((await send(testShop)).statusCode).toBe(429);
});

describe('a body that is read though its head carries no credential', () => {
  test.each([
    [12, 'Content-Length: 12'],
    [12, CHUNKED],
  ])('is a ping of %i bytes (%s)', async (_bytes, length) => {
    const testShop = await openTestShop(notSetUp, { platforms: [pings] });
    const body = 'webhook_id=1';
    const answer = await sendHead(
      testShop,
      [length],
      ownPath(testShop),
      length === CHUNKED ? `c\r\n${body}\r\n0\r\n\r\n` : body,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"received":true\}/);
    expect(await summaryOf(testShop)).toEqual([]);
  });

  test.each([
    ['announced', 'Content-Length: 41', ''],
    ['chunked', CHUNKED, `29\r\n${'x'.repeat(41)}\r\n`],
  ])('is not a ping if it is longer (%s): 401, and counted', async (_name, length, begun) => {
    const testShop = await openTestShop(undefined, { platforms: [pings] });
    const answer = await sendHead(testShop, [length], ownPath(testShop), begun);
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*The signature is missing/);
    expect(await summaryOf(testShop)).toMatchObject([{ count: 1, kept: 0 }]);
  });

  test('can carry it itself, up to 256 KiB', async () => {
    const testShop = await openTestShop(undefined, { platforms: [signedInBody] });
    const { body } = signedSample('test-secret', SALE);
    const payload = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(body).toString()), note: 'test-secret' }),
    );
    expect((await send(testShop, { body: payload, query: {}, headers: {} })).statusCode).toBe(200);
    expect(await sendHead(testShop, [`Content-Length: ${256 * KIB + 1}`])).toMatch(/^HTTP\/1\.1 401 /);
  });
});

test('an admitted order queries its organisation once', async () => {
  const list = vi.fn();
  const testShop = await openTestShop(({ connections }) => ({
    connections: {
      ...connections,
      list: (...asked) => {
        list();
        return connections.list(...asked);
      },
    },
  }));
  expect((await send(testShop)).statusCode).toBe(200);
  expect(list).toHaveBeenCalledTimes(1);
});

test('an order is admitted whose secret was set in another process a moment ago', async () => {
  const testShop = await openTestShop(({ connections }) => ({
    connections: {
      ...connections,
      // What this process remembers of the time before.
      list: async (orgId, platform, now, seen) =>
        seen === 'recent' ? [] : connections.list(orgId, platform, now, seen),
    },
  }));
  expect((await send(testShop)).statusCode).toBe(200);
});
