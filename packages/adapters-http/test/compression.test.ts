import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { csrfTokenOf, openDashboard } from './open-dashboard.ts';
import { bearer } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const BROWSER = 'gzip, deflate, br, zstd';

async function openSold() {
  const sale = await sellPads();
  const { app, shop } = sale;
  const { body } = await app.inject(`/d/${sale.token}`);
  const assets = [...body.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  const ask = (url: string, encoding: string | null, headers: Record<string, string> = {}) =>
    app.inject({
      url,
      headers: { ...bearer(shop.ownerKey), ...headers, ...(encoding && { 'accept-encoding': encoding }) },
    });
  return { ...sale, assets, ask };
}

/** Their list is so long that it streams; it may fail behind its last row. */
function openManyProducts(end: 'ends' | 'fails' = 'ends') {
  return sellPads(undefined, (ports) => ({
    products: {
      ...ports.products,
      list: async function* (orgId) {
        for await (const row of ports.products.list(orgId)) {
          for (let copies = 0; copies < 500; copies += 1) {
            yield { ...row, description: randomBytes(1000).toString('hex') };
          }
        }
        if (end === 'fails') throw new Error('The database is gone.');
      },
    },
  }));
}

function unpacked({ headers, rawPayload }: LightMyRequestResponse): string {
  const encoding = headers['content-encoding'];
  return UNPACK[encoding === 'br' ? 'br' : 'gzip'](rawPayload).toString();
}

describe('compression', () => {
  test('uses the best accepted encoding for pages, stylesheets, scripts and the OpenAPI document', async () => {
    const { token, assets, ask } = await openSold();
    const texts = [
      `/d/${token}`,
      '/docs',
      '/openapi.json',
      ...assets.filter((path) => /\.(css|js)$/.test(path)),
    ];
    expect(texts.length).toBeGreaterThanOrEqual(5);
    for (const path of texts) {
      const plain = await ask(path, null);
      expect(plain.headers['content-encoding'], path).toBeUndefined();
      // A shared cache may keep an asset: what one browser asked for is not for all.
      if (assets.includes(path)) expect(plain.headers.vary, path).toBe('accept-encoding');
      for (const [encoding, accepted] of [
        ['br', BROWSER],
        ['gzip', 'gzip'],
      ] as const) {
        const packed = await ask(path, accepted);
        expect(packed.headers['content-encoding'], path).toBe(encoding);
        // A buyer's page has its language as well.
        const varies = path.startsWith('/d/') ? 'accept-language, accept-encoding' : 'accept-encoding';
        expect(packed.headers.vary, path).toBe(varies);
        expect(packed.rawPayload.length, path).toBeLessThan(plain.rawPayload.length / 2);
        expect(unpacked(packed)).toBe(plain.body);
      }
    }
  });

  test('applies to a list of the API while it streams', async () => {
    const { app, shop } = await openManyProducts();
    const ask = (encoding: string) =>
      app.inject({
        url: '/api/products',
        headers: { ...bearer(shop.ownerKey), 'accept-encoding': encoding },
      });
    const packed = await ask(BROWSER);
    expect(packed.headers['content-encoding']).toBe('br');
    expect(JSON.parse(unpacked(packed))).toHaveLength(500);
    expect(JSON.parse((await ask('identity')).body)).toHaveLength(500);
  });

  test('applies to the export of downloads', async () => {
    const { ask } = await openSold();
    const packed = await ask('/api/reports/downloads', BROWSER);
    expect(unpacked(packed)).toBe((await ask('/api/reports/downloads', null)).body);
  });

  test('applies to the page of a signed-in user, whose CSRF token differs each time', async () => {
    const dashboard = await openDashboard();
    const signedIn = await dashboard.signIn('owner');
    const look = async () =>
      unpacked(await signedIn.get('/dashboard/settings/organisation', { 'accept-encoding': 'br' }));
    const first = csrfTokenOf(await look());
    dashboard.clock.advance(1);
    const second = csrfTokenOf(await look());
    expect(first).not.toBe('');
    const [, mac] = first.split('.');
    expect(second.split('.')[1]).not.toBe(mac);
  });
});

describe('compression is not applied', () => {
  test('for a client that refuses it', async () => {
    const { token, assets, ask } = await openSold();
    for (const path of [`/d/${token}`, ...assets]) {
      for (const refused of ['br;q=0', 'br; q=0.000, identity', 'identity', 'zstd']) {
        const answer = await ask(path, refused);
        expect(answer.headers['content-encoding'], `${path} ${refused}`).toBeUndefined();
      }
    }
  });

  test('to a file that a buyer downloads, whole or in part', async () => {
    const { token, ask } = await openSold();
    const path = `/d/${token}/files/1.0/pads.zip`;
    for (const range of ['bytes=0-4', 'bytes=1-2', 'bytes=0-0,3-4']) {
      const answer = await ask(path, BROWSER, { range });
      expect(answer.statusCode).toBe(206);
      expect(answer.headers['content-encoding']).toBeUndefined();
    }
    const whole = await ask(path, BROWSER);
    expect(whole.headers).toMatchObject({ 'content-length': '5', 'accept-ranges': 'bytes' });
    expect(whole.headers['content-encoding']).toBeUndefined();
  });

  test('to fonts, which are compressed already', async () => {
    const { assets, ask } = await openSold();
    const font = assets.find((path) => path.endsWith('.woff2')) ?? '';
    const answer = await ask(font, BROWSER);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('to request bodies: a compressed one is refused', async () => {
    const { app, shop } = await openSold();
    const product = JSON.stringify({
      name: 'Strings',
      slug: 'strings',
      padding: randomBytes(8).toString('hex'),
    });
    const answer = await app.inject({
      method: 'POST',
      url: '/api/products',
      headers: { ...bearer(shop.ownerKey), 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: gzipSync(product),
    });
    expect(answer.statusCode).toBe(415);
  });
});

test('a compressed list that fails midway breaks the connection', async () => {
  const { app, shop } = await openManyProducts('fails');
  const socket = await dial(await listen(app), [
    'GET /api/products HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${shop.ownerKey}`,
    'Accept-Encoding: gzip',
    'Connection: close',
  ]);
  const seen: Buffer[] = [];
  socket.on('data', (chunk) => seen.push(chunk));
  await once(socket, 'close');
  const answer = Buffer.concat(seen).toString('latin1');
  expect(answer).toContain('content-encoding: gzip');
  expect(answer).not.toMatch(/\r\n0\r\n\r\n$/);
});
