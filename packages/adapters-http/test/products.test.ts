import { gzipSync } from 'node:zlib';
import { DomainError } from '@handover/domain';
import { describe, expect } from 'vitest';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

function call(testShop: TestShop, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object | string) {
  const json = typeof payload === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { ...bearer(testShop.shop.ownerKey), ...json };
  return testShop.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

describe('POST /api/products', () => {
  test('answers 201 with the full row, as a draft', async ({ testShop }) => {
    const answer = await call(testShop, 'POST', '/api/products', {
      name: ' Felt Piano ',
      slug: 'Felt Piano!',
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      orgId: testShop.shop.orgId,
      name: 'Felt Piano',
      slug: 'felt-piano',
      description: null,
      status: 'draft',
      activeVersionId: null,
      createdAt: '2026-03-02T09:00:00.000Z',
      updatedAt: '2026-03-02T09:00:00.000Z',
    });
  });

  test('answers 400 for JSON in another encoding than UTF-8, which could only be stored damaged', async () => {
    const testShop = await openTestShop();
    const answer = await testShop.app.inject({
      method: 'POST',
      url: '/api/products',
      headers: { ...bearer(testShop.shop.ownerKey), 'content-type': 'application/json' },
      payload: Buffer.from('{"name":"caf\xe9","slug":"cafe"}', 'latin1'),
    });
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.stringContaining('UTF-8') }]);
  });

  const wrong: readonly [string, object | string, RegExp][] = [
    ['no members', {}, /“name” is missing.*“slug” is missing/],
    ['no name', { slug: 'x' }, /“name” is missing/],
    ['no slug', { name: 'x' }, /“slug” is missing/],
    ['a blank name', { name: ' ', slug: 'x' }, /“name” must not be empty/],
    ['a number for a name', { name: 5, slug: 'x' }, /“name” must be text\./],
    ['null for a name', { name: null, slug: 'x' }, /“name” must be text\./],
    [
      'a list for a description',
      { name: 'x', slug: 'x', description: [] },
      /“description” must be text or null\./,
    ],
    ['a slug without letters', { name: 'x', slug: '!!' }, /“slug” must hold/],
    ['a list', [], /must be a JSON object/],
    ['a text', '"x"', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['broken JSON', '{"name":', /not valid JSON/],
    ['an empty body', '', /empty/],
  ];

  test.each(wrong)(
    'answers 400 for %s, in a sentence that names the field',
    async (_name, body, sentence) => {
      const testShop = await openTestShop();
      const answer = await call(testShop, 'POST', '/api/products', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ error: expect.stringMatching(sentence) });
    },
  );

  test('answers 400 without a body, 415 for a form, 413 for more than a mebibyte', async ({ testShop }) => {
    expect((await call(testShop, 'POST', '/api/products')).statusCode).toBe(400);
    const form = await testShop.app.inject({
      method: 'POST',
      url: '/api/products',
      headers: { ...bearer(testShop.shop.ownerKey), 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'name=x&slug=x',
    });
    expect(form.statusCode).toBe(415);
    expect(form.json().error).toMatch(/application\/json/);
    const large = await call(testShop, 'POST', '/api/products', { name: 'x'.repeat(1024 * 1024), slug: 'x' });
    expect(large.statusCode).toBe(413);
    expect(large.json()).toEqual({ error: expect.any(String) });
  });

  test('answers 415 for a compressed body, and says so; “identity” is none', async ({ testShop }) => {
    const create = (encoding: string, payload: string | Buffer) =>
      testShop.app.inject({
        method: 'POST',
        url: '/api/products',
        headers: {
          ...bearer(testShop.shop.ownerKey),
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        payload,
      });
    const compressed = await create('gzip', gzipSync('{"name":"x","slug":"x"}'));
    expect(compressed.statusCode).toBe(415);
    expect(compressed.json()).toEqual({ error: 'Send the body as it is, without “Content-Encoding”.' });
    expect((await create('identity', '{"name":"x","slug":"x"}')).statusCode).toBe(201);
  });

  test('answers 409 for a slug that another product has, naming it', async ({ testShop }) => {
    const answer = await call(testShop, 'POST', '/api/products', { name: 'Other', slug: 'PADS' });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/“pads”/) });
  });

  test('ignores __proto__ and constructor in a body', async ({ testShop }) => {
    const body =
      '{"name":"x","slug":"x","__proto__":{"status":"published"},"constructor":{"prototype":{"polluted":1}}}';
    const answer = await call(testShop, 'POST', '/api/products', body);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ status: 'draft' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('PUT /api/products/:id', () => {
  test('answers 200 with the whole row, with only the given fields changed', async ({ testShop }) => {
    const answer = await call(testShop, 'PUT', `/api/products/${testShop.shop.product.id}`, {
      description: 'Soft',
      status: 'archived',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      id: testShop.shop.product.id,
      name: 'Pads',
      description: 'Soft',
      status: 'archived',
      activeVersionId: testShop.shop.version.id,
    });
  });

  test('accepts a row that was read: read-only and unknown members are ignored', async ({ testShop }) => {
    const [{ product }] = (await call(testShop, 'GET', '/api/products')).json();
    const other = { id: 'x', orgId: 'y', createdAt: 1, updatedAt: null, colour: 'red' };
    const answer = await call(testShop, 'PUT', `/api/products/${product.id}`, { ...product, ...other });
    expect(answer.statusCode).toBe(200);
    expect({ ...answer.json(), updatedAt: null }).toEqual({ ...product, updatedAt: null });
  });

  const wrong: readonly [object, RegExp][] = [
    [{ status: 'gone' }, /“status” must be draft, published or archived\./],
    [{ status: null }, /“status” must be draft, published or archived\./],
    [{ name: 5 }, /“name” must be text\./],
    [{ activeVersionId: 5 }, /“activeVersionId” must be text or null\./],
    [{ activeVersionId: 'nonsense' }, /“activeVersionId” must be null or the id of a version/],
    [[], /must be a JSON object/],
  ];

  test.each(wrong)('answers 400 for %j', async (body, sentence) => {
    const testShop = await openTestShop();
    const answer = await call(testShop, 'PUT', `/api/products/${testShop.shop.product.id}`, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: expect.stringMatching(sentence) });
  });

  test('answers 404 for unknown and malformed ids, and for a slug', async ({ testShop }) => {
    for (const id of [
      '018f0000-0000-7000-8000-000000000000',
      'pads',
      '%20',
      '..%2F..',
      'x'.repeat(900),
      'x'.repeat(2000),
      '%E0%A4%A',
    ]) {
      const answer = await call(testShop, 'PUT', `/api/products/${id}`, {});
      expect(answer.statusCode, id).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });

  test('answers 409 for a slug that another product has', async ({ testShop }) => {
    const { id } = (await call(testShop, 'POST', '/api/products', { name: 'Other', slug: 'other' })).json();
    expect((await call(testShop, 'PUT', `/api/products/${id}`, { slug: 'pads' })).statusCode).toBe(409);
  });
});

describe('GET /api/products', () => {
  test('returns rows of product and active version, newest first', async ({ testShop }) => {
    testShop.clock.advance(1000);
    await call(testShop, 'POST', '/api/products', { name: 'Felt', slug: 'felt' });
    const answer = await call(testShop, 'GET', '/api/products');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const rows = answer.json();
    expect(rows.map(({ product }: { product: { slug: string } }) => product.slug)).toEqual(['felt', 'pads']);
    expect(rows[0].activeVersion).toBeNull();
    expect(rows[1].activeVersion).toEqual({
      id: testShop.shop.version.id,
      productId: testShop.shop.product.id,
      version: '1.0',
      status: 'ready',
      createdAt: '2026-03-02T09:00:00.000Z',
    });
  });

  test('returns an empty array without products', async () => {
    const testShop = await openTestShop(({ products }) => ({
      products: { ...products, list: async function* () {} },
    }));
    expect((await call(testShop, 'GET', '/api/products')).body).toBe('[]');
  });
});

describe('a failure on our side', () => {
  const failing = (error: Error) =>
    openTestShop(({ products }) => ({ products: { ...products, add: async () => Promise.reject(error) } }));

  test('with 500 hides its message and names the request', async () => {
    const opened = await failing(new Error('relation "products" does not exist'));
    const answer = await call(opened, 'POST', '/api/products', { name: 'x', slug: 'x' });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('relation');
    const line = opened.log.requests().at(-1);
    expect(line).toMatchObject({ level: 'error', err: { message: 'relation "products" does not exist' } });
    expect(answer.json()).toEqual({ error: expect.stringContaining(String(line?.reqId)) });
  });

  test('with 503 has Retry-After when the store is unavailable or contended', async () => {
    for (const code of ['store-unavailable', 'contended'] as const) {
      const opened = await failing(new DomainError(code, 'secret details'));
      const answer = await call(opened, 'POST', '/api/products', { name: 'x', slug: 'x' });
      expect(answer.statusCode).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.body).not.toContain('secret');
    }
  });

  test('with 404 is JSON for an endpoint that does not exist', async ({ testShop }) => {
    for (const url of ['/api', '/api/', '/api/nope', '/api/generate-download-url']) {
      const answer = await call(testShop, 'POST', url, { a: 1 });
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String) });
    }
  });

  test('with 405 names the methods of an address, without a key, too', async ({ testShop }) => {
    const { id } = testShop.shop.product;
    const wrong = [
      ['DELETE', '/api/products?a=/', 'GET, HEAD, POST', 'This address takes GET, HEAD or POST, not DELETE.'],
      ['HEAD', `/api/products/${id}`, 'PUT', null],
      ['PATCH', `/api/products/${id}`, 'PUT', 'This address takes PUT, not PATCH.'],
      ['GET', '/api/sku-mappings/a%2Fb', 'PUT, DELETE', 'This address takes PUT or DELETE, not GET.'],
      ['GET', `/webhooks/${id}/download-complete`, 'POST', 'This address takes POST, not GET.'],
    ] as const;
    for (const [method, url, allow, error] of wrong) {
      const answer = await testShop.app.inject({ method, url });
      expect([answer.statusCode, answer.headers.allow], url).toEqual([405, allow]);
      if (error !== null) expect(answer.json()).toEqual({ error });
    }
    expect((await testShop.app.inject('/api/products/')).statusCode).toBe(404);
  });

  test('with 405 names no method that a webhook address refuses itself', async () => {
    const { app, shop } = await openTestShop();
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'DELETE'] as const) {
      const answer = await app.inject({ method, url: `/webhooks/${shop.orgId}/storefront-a` });
      expect([answer.statusCode, answer.headers.allow], method).toEqual([405, 'POST']);
      expect(answer.json().error).toMatch(/^This address takes (deliveries by )?POST/);
    }
  });
});
