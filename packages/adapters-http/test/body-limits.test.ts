import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { signForTest } from '@handover/platform-storefront-a/testing';
import { describe, expect, test, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { BODY_LIMITS } from '../src/requests/request-bodies.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import { send } from './send-webhook.ts';

const SOON = { ...BODY_LIMITS, deadlineMs: 50 };
const KIB = 1024;

interface ListedRoute {
  readonly method: string;
  readonly url: string;
  readonly fileUpload: string | undefined;
}

/** Every route that may have a body, as the app itself is given them: a new one is tested without a word here. */
async function openRoutes(bodyLimits = SOON) {
  const routes: ListedRoute[] = [];
  let admitted = 0;
  const testShop = await openTestShop(undefined, { bodyLimits });
  testShop.app.addHook('onRoute', ({ method, url, config }) => {
    const withBody = [method].flat().filter((name) => !/^(GET|HEAD|OPTIONS)$/.test(name));
    routes.push(...withBody.map((name) => ({ method: name, url, fileUpload: config?.fileUpload })));
  });
  // After the hooks of the app: this body has its share of the budget.
  testShop.app.addHook('preParsing', async () => {
    admitted += 1;
  });
  await testShop.app.ready();
  return {
    it: testShop,
    routes,
    untilAdmitted: (count: number) => vi.waitUntil(() => admitted >= count, WAIT_TIMEOUT_MS),
  };
}

const TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

/** Says that a kilobyte follows, sends some of it, and then nothing. */
async function beginToSend(
  { shop }: TestShop,
  port: number,
  { method, url }: Pick<ListedRoute, 'method' | 'url'>,
  [type = '', length = 'Content-Length: 1024']: readonly string[] = [],
): Promise<Socket> {
  const path = url.replace(':orgId', shop.orgId).replace(/:\w+/g, shop.product.id);
  const socket = await dial(port, [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `X-API-Key: ${shop.ownerKey}`,
    'X-Storefront-A-Hmac-Sha256: x',
    'Payments-A-Signature: x',
    `Content-Type: ${type}`,
    length,
  ]);
  socket.write('5\r\n{"a":\r\n');
  return socket;
}

function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

describe('a body that does not arrive completely', () => {
  test('is answered on every route, and its connection is closed', async () => {
    const { it, routes } = await openRoutes();
    const port = await listen(it.app);
    const bounded = routes.filter(({ fileUpload }) => fileUpload !== 'any type');
    const statuses = new Set<number>();
    for (const route of bounded) {
      for (const type of TYPES) {
        // Only a multipart form streams its file.
        if (route.fileUpload === 'multipart' && type.startsWith('multipart')) continue;
        const socket = await beginToSend(it, port, route, [type]);
        // Refused unread it may keep its connection, and then has the time limits of `drainRequestBody`.
        const answer = String(await once(socket, 'data'));
        const status = statusOf(answer);
        expect([route.method, route.url, type, status < 500 && status >= 400]).toEqual([
          route.method,
          route.url,
          type,
          true,
        ]);
        if (status === 408) {
          expect(answer).toMatch(/connection: close/i);
          if (!socket.destroyed) await once(socket, 'close');
        }
        statuses.add(status);
        socket.destroy();
      }
    }
    expect(statuses).toContain(408);
  });

  test('is accepted later only on these routes, which take files', async () => {
    const { routes } = await openRoutes();
    const exempt = routes.filter(({ fileUpload }) => fileUpload !== undefined);
    expect(exempt.map(({ method, url, fileUpload }) => `${method} ${url} ${fileUpload}`).sort()).toEqual([
      'PATCH /api/uploads/:uploadId any type',
      'POST /api/uploads any type',
      'POST /api/uploads/:uploadId any type',
      'POST /dashboard/products/:productId/versions/:versionId/files multipart',
      'PUT /api/products/:productId/versions/:versionId/files/:name any type',
    ]);
  });

  const FORMATS: readonly (readonly [string, string, string, RegExp])[] = [
    ['POST', '/webhooks/:orgId/storefront-a', 'application/json', /\{"error":"[^"]*whole within[^"]*"\}$/],
    ['POST', '/webhooks/payments-a', 'application/json', /\{"error":"[^"]*whole within[^"]*"\}$/],
    [
      'POST',
      '/webhooks/:orgId/download-complete',
      'application/json',
      /\{"error":"[^"]*whole within[^"]*"\}$/,
    ],
    ['POST', '/api/products', 'application/json', /\{"error":"[^"]*whole within[^"]*"\}$/],
    [
      'POST',
      '/api/purchases',
      'application/x-www-form-urlencoded',
      /<div role="alert">\s*<p>[^<]*whole within/,
    ],
    [
      'POST',
      '/api/purchases',
      'multipart/form-data; boundary=x',
      /<div role="alert">\s*<p>[^<]*whole within/,
    ],
    ['POST', '/dashboard/sign-in', 'application/x-www-form-urlencoded', /<h1>[^<]*too slow/i],
    ['POST', '/my', 'application/x-www-form-urlencoded', /<h1>[^<]*too slow/i],
  ];

  test.each(FORMATS)(
    'is answered with 408 in the format of %s %s (%s)',
    async (method, url, type, format) => {
      const { it } = await openRoutes();
      const port = await listen(it.app);
      for (const length of ['Content-Length: 1024', 'Transfer-Encoding: chunked']) {
        const answer = await text(await beginToSend(it, port, { method, url }, [type, length]));
        expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
        expect(answer).toMatch(format);
      }
      await vi.waitUntil(() => it.log.requests().length >= 2, WAIT_TIMEOUT_MS);
      expect(it.log.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    },
  );

  test('of a known length may arrive slowly within the deadline', async () => {
    const { it } = await openRoutes({ ...SOON, deadlineMs: 60_000 });
    const body = '{"name":"Felt","slug":"felt"}';
    const socket = await dial(await listen(it.app), [
      'POST /api/products HTTP/1.1',
      'Host: x',
      `X-API-Key: ${it.shop.ownerKey}`,
      'Content-Type: application/json',
      'Connection: close',
      `Content-Length: ${body.length}`,
    ]);
    for (const byte of body) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('bytes in flight', () => {
  const limits = { ...BODY_LIMITS, deadlineMs: 60_000, maxBufferedBytes: 200 * KIB };

  /** A signed-looking delivery of 100 KiB, of which almost nothing comes. */
  async function holdBytes(port: number, { shop }: TestShop, header = `Content-Length: ${100 * KIB}`) {
    return dial(port, [
      `POST /webhooks/${shop.orgId}/storefront-a HTTP/1.1`,
      'Host: x',
      'X-Storefront-A-Hmac-Sha256: x',
      header,
    ]);
  }

  test('beyond the budget are answered with 503 and Retry-After until some are released', async () => {
    const { it, untilAdmitted } = await openRoutes(limits);
    const port = await listen(it.app);
    const held = await holdBytes(port, it);
    await untilAdmitted(1);
    const next = await holdBytes(port, it);
    const [answer] = await once(next, 'data');
    expect(String(answer)).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*retry-after: \d+[\s\S]*"error":"[^"]*in a moment/i,
    );
    held.destroy();
    const body = Buffer.alloc(100 * KIB, ' ');
    await vi.waitUntil(async () => {
      const { statusCode } = await send(it, { body, query: {}, headers: signForTest('test-secret', body) });
      // It is not an order, but it was read.
      return statusCode === 400;
    }, WAIT_TIMEOUT_MS);
  });

  test('of senders that are too slow are released', async () => {
    const { it, untilAdmitted } = await openRoutes({ ...limits, deadlineMs: 100 });
    const held = await holdBytes(await listen(it.app), it);
    await untilAdmitted(1);
    expect(await text(held)).toMatch(/^HTTP\/1\.1 408 /);
    const body = Buffer.alloc(100 * KIB, ' ');
    // A busy machine may be too slow itself.
    await vi.waitUntil(async () => {
      const sent = await send(it, { body, query: {}, headers: signForTest('test-secret', body) });
      return sent.statusCode === 400;
    }, WAIT_TIMEOUT_MS);
  });

  test('are not reserved for a sender that left while its secrets were looked up', async () => {
    const looking = Promise.withResolvers<void>();
    const it: TestShop = await openTestShop(
      ({ connections }) => ({
        connections: {
          ...connections,
          list: async (...given) => {
            looking.resolve();
            // Its line says that its connection is closed.
            await vi.waitUntil(() => it.log.requests().length > 0, WAIT_TIMEOUT_MS);
            return connections.list(...given);
          },
        },
      }),
      { bodyLimits: limits },
    );
    const left = await holdBytes(await listen(it.app), it);
    await looking.promise;
    left.destroy();
    await vi.waitUntil(() => it.log.requests().length > 0, WAIT_TIMEOUT_MS);
    const body = Buffer.alloc(100 * KIB, ' ');
    const sent = await send(it, { body, query: {}, headers: signForTest('test-secret', body) });
    expect(sent.statusCode).toBe(400);
  });

  test('are counted as they arrive where no length was announced', async () => {
    const { it } = await openRoutes(limits);
    const socket = await holdBytes(await listen(it.app), it, 'Transfer-Encoding: chunked');
    const chunk = Buffer.alloc(300 * KIB, 'x');
    socket.write(`${chunk.length.toString(16)}\r\n`);
    socket.write(chunk);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
  });

  test('of large bodies leave room for orders', async () => {
    const { it, untilAdmitted } = await openRoutes(limits);
    const port = await listen(it.app);
    await holdBytes(port, it, `Content-Length: ${149 * KIB}`);
    await untilAdmitted(1);
    const [answer] = await once(await holdBytes(port, it, `Content-Length: ${70 * KIB}`), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
    expect((await send(it)).statusCode).toBe(200);
  });

  test('of one network leave room for the orders of others, however small they are', async () => {
    const { it, untilAdmitted } = await openRoutes(limits);
    const port = await listen(it.app);
    for (const count of [1, 2, 3]) {
      await holdBytes(port, it, `Content-Length: ${50 * KIB}`);
      await untilAdmitted(count);
    }
    const [answer] = await once(await holdBytes(port, it, `Content-Length: ${50 * KIB}`), 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
    expect((await send(it, undefined, '203.0.113.7')).statusCode).toBe(200);
  });

  test('are not reserved by senders without a signature, by files, or by unknown routes', async () => {
    const { it } = await openRoutes({ ...limits, maxBufferedBytes: 40 * KIB });
    const port = await listen(it.app);
    const lines = [
      `POST /webhooks/${it.shop.orgId}/storefront-a HTTP/1.1`,
      `PUT /api/products/${it.shop.product.id}/versions/${it.shop.version.id}/files/a HTTP/1.1`,
      `PUT /webhooks/${it.shop.orgId}/storefront-a HTTP/1.1`,
      'POST /webhooks/nowhere/at-all HTTP/1.1',
      'POST /nowhere HTTP/1.1',
    ];
    const statuses = [];
    for (const line of lines) {
      const socket = await dial(port, [
        line,
        'Host: x',
        `X-API-Key: ${it.shop.ownerKey}`,
        `Content-Length: ${30 * KIB}`,
      ]);
      if (line.startsWith('PUT /api')) continue;
      statuses.push(statusOf(String(await once(socket, 'data'))));
    }
    expect(statuses).toEqual([401, 405, 404, 404]);
    expect((await send(it)).statusCode).toBe(200);
  });
});
