import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpOptions } from '@handover/adapters-http';
import { expect, test } from 'vitest';
import { listRoutes } from './list-routes.ts';
import { openDashboard } from './open-dashboard.ts';
import { bearer, TEST_OPTIONS } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const outbox: HttpOptions['outbox'] = { list: async () => [], read: async () => MAIL };
const MAIL = {
  name: 'a.eml',
  sentAt: new Date(0),
  from: 'orders@example.com',
  to: 'ana@example.com',
  replyTo: null,
  subject: 'Pads',
  html: '<!doctype html><html><head></head><body>Pads</body></html>',
  text: 'Pads',
};

const SITE = 'https://get.example.com';
const HSTS = 'max-age=31536000';

async function openShop(siteUrl = SITE) {
  const sale = await sellPads(undefined, undefined, { siteUrl, outbox });
  return { ...sale, port: await listen(sale.app) };
}

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function ask(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest({ port, method, path, headers, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) });
    });
    asking.on('error', reject).end();
  });
}

function expectSecure(name: string, { headers, body }: Seen): void {
  expect.soft(headers['x-content-type-options'], name).toBe('nosniff');
  expect.soft(headers['strict-transport-security'], name).toBe(HSTS);
  expect.soft(headers['referrer-policy'], name).toMatch(/^(no-referrer|same-origin)$/);
  if (!String(headers['content-type']).startsWith('text/html')) return;
  expect.soft(headers['content-security-policy'], name).toContain("default-src 'none'");
  expect.soft(headers['content-security-policy'], name).toContain('frame-ancestors');
  // Of a mail, which is shown in a frame of ours, and of parts of pages.
  if (!body.startsWith('<!doctype') || name.includes('/dev/mail/{name}/html')) return;
  expect.soft(headers['x-frame-options'], name).toBe('DENY');
  expect.soft(headers['cross-origin-opener-policy'], name).toBe('same-origin');
}

test('every route sends the security headers, to strangers and to owners', async () => {
  const { app, ports, shop, signIn } = await openDashboard(undefined, { siteUrl: SITE, outbox });
  const port = await listen(app);
  const { cookies } = await signIn('owner');
  const signedIn = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
  const routes = await listRoutes(ports, { ...TEST_OPTIONS, siteUrl: SITE, outbox });
  expect(routes.length).toBeGreaterThan(100);
  const statuses = new Set<number>();
  for (const { method, path } of routes) {
    const address = path.replace('{orgId}', shop.orgId).replace(/\{\w+\}|\*/g, 'x');
    for (const headers of [{}, bearer(shop.ownerKey), signedIn]) {
      const seen = await ask(port, method, address, headers);
      statuses.add(seen.status);
      expectSecure(`${method} ${path} ${seen.status}`, seen);
    }
  }
  for (const status of [200, 303, 400, 401, 403, 404, 405]) expect(statuses).toContain(status);
});

test('files, ranges, and responses of Fastify and Node send them too', async () => {
  const { port, token } = await openShop();
  const file = `/d/${token}/files/1.0/pads.zip`;
  const cases: readonly [status: number, method: string, path: string, headers?: Record<string, string>][] = [
    [200, 'GET', file],
    [206, 'GET', file, { range: 'bytes=0-1' }],
    [416, 'GET', file, { range: 'bytes=99999999-' }],
    [404, 'GET', '/nothing/here'],
    [404, 'OPTIONS', '/my'],
    [404, 'PURGE', '/my'],
    [404, 'GET', '/d/%ff'],
    [404, 'GET', `/d/${'x'.repeat(2000)}`],
    [417, 'GET', '/my', { expect: 'a miracle' }],
    [404, 'GET', '/my', { connection: 'upgrade', upgrade: 'websocket' }],
  ];
  for (const [status, method, path, headers] of cases) {
    const seen = await ask(port, method, path, headers);
    const name = `${method} ${path.slice(0, 60)} ${JSON.stringify(headers)}`;
    if (!headers?.upgrade) expect.soft(seen.status, name).toBe(status);
    expectSecure(name, seen);
  }
});

test.each([
  ['no Host', ['GET /my HTTP/1.1']],
  ['no HTTP', ['GARBAGE']],
  ['headers that are too large', ['GET /my HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`]],
])('a request with %s gets them too', async (_name, lines) => {
  const { port } = await openShop();
  const answer = (await text(await dial(port, lines))).toLowerCase();
  expect(answer).toMatch(/^http\/1.1 4\d\d /);
  expect(answer).toContain('x-content-type-options: nosniff\r\n');
  expect(answer).toContain(`strict-transport-security: ${HSTS}\r\n`);
});

test('a site on http does not send strict-transport-security', async () => {
  const { port } = await openShop('http://localhost:3000');
  const { headers } = await ask(port, 'GET', '/my');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['strict-transport-security']).toBeUndefined();
});
