import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { test } from './test-in-shop.ts';

async function openVersion(testShop: TestShop, version = '2.0') {
  const url = `/api/products/${testShop.shop.product.id}/versions`;
  const answer = await testShop.app.inject({
    method: 'POST',
    url,
    headers: bearer(testShop.shop.ownerKey),
    payload: { version },
  });
  return { answer, at: `${url}/${answer.json().id}` };
}

function upload(testShop: TestShop, at: string, name: string, payload: Buffer | string, type?: string) {
  const url = `${at}/files/${encodeURIComponent(name)}`;
  const headers = { ...bearer(testShop.shop.ownerKey), ...(type ? { 'content-type': type } : {}) };
  return testShop.app.inject({ method: 'PUT', url, headers, payload });
}

function activate(testShop: TestShop, at: string, more: object = {}) {
  return testShop.app.inject({
    method: 'POST',
    url: `${at}/activate`,
    headers: bearer(testShop.shop.ownerKey),
    ...more,
  });
}

describe('POST /api/products/:id/versions', () => {
  test('answers 201 with the version, which accepts files', async ({ testShop }) => {
    const { answer } = await openVersion(testShop);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      productId: testShop.shop.product.id,
      version: '2.0',
      status: 'preparing',
      createdAt: '2026-03-02T09:00:00.000Z',
    });
  });

  test('answers 400 without a label or with an invalid one, 404 for an unknown product, 409 for a used label', async () => {
    const testShop = await openTestShop();
    const post = (id: string, payload: object) =>
      testShop.app.inject({
        method: 'POST',
        url: `/api/products/${id}/versions`,
        headers: bearer(testShop.shop.ownerKey),
        payload,
      });
    expect((await post(testShop.shop.product.id, {})).json()).toEqual({
      error: '“version” is missing. Add it to the body.',
    });
    expect((await post(testShop.shop.product.id, { version: 2 })).statusCode).toBe(400);
    expect((await post(testShop.shop.product.id, { version: 'a  b' })).statusCode).toBe(400);
    expect((await post('nonsense', { version: '2.0' })).statusCode).toBe(404);
    expect((await post(testShop.shop.product.id, { version: '1.0' })).statusCode).toBe(409);
  });
});

describe('PUT …/files/:name', () => {
  test('answers 201 with name, size and hash, for any content type and none', async ({ testShop }) => {
    const { at } = await openVersion(testShop);
    const content = Buffer.from([0, 255, 13, 10, 123]);
    for (const type of [
      undefined,
      'application/zip',
      'application/json',
      'text/plain',
      'multipart/form-data',
      'no media type',
    ]) {
      const answer = await upload(testShop, at, 'felt.zip', content, type);
      expect(answer.statusCode, type).toBe(201);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(answer.json()).toEqual({ name: 'felt.zip', size: 5, sha256 });
    }
  });

  test('accepts an empty file, and one larger than any other body', async ({ testShop }) => {
    const { at } = await openVersion(testShop);
    expect((await upload(testShop, at, 'empty.txt', '')).json()).toMatchObject({ size: 0 });
    expect((await upload(testShop, at, 'big.bin', Buffer.alloc(9_000_000, 7))).json()).toMatchObject({
      size: 9_000_000,
    });
  });

  test('keeps every letter of a name', async ({ testShop }) => {
    const { at } = await openVersion(testShop);
    for (const name of [
      'Übungen für Łódź 100 %.zip',
      '日本語.zip',
      'a+b&c=d?.zip',
      '😀'.repeat(100),
      '日'.repeat(200),
    ]) {
      expect((await upload(testShop, at, name, 'x')).json().name).toBe(name);
    }
  });

  test('answers 400 for an invalid file name', async ({ testShop }) => {
    const { at } = await openVersion(testShop);
    for (const name of ['a\nb', ' a', 'a\\b', 'a'.repeat(201)]) {
      expect((await upload(testShop, at, name, 'x')).statusCode, name).toBe(400);
    }
    const answer = await testShop.app.inject({
      method: 'PUT',
      url: `${at}/files/a%2Fb`,
      headers: bearer(testShop.shop.ownerKey),
      payload: 'x',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/“name” must not hold slashes/) });
  });

  test('answers 404 for an unknown version, 409 once it was active', async ({ testShop }) => {
    const product = `/api/products/${testShop.shop.product.id}/versions`;
    expect((await upload(testShop, `${product}/nonsense`, 'a.zip', 'x')).statusCode).toBe(404);
    expect((await upload(testShop, `${product}/${testShop.shop.version.id}`, 'a.zip', 'x')).statusCode).toBe(
      409,
    );
  });

  test('answers 500 when the disk fails', async () => {
    const testShop = await openTestShop(({ files }) => ({
      files: { ...files, store: async () => Promise.reject(new Error('no space left')) },
    }));
    const { at } = await openVersion(testShop);
    const answer = await upload(testShop, at, 'a.zip', 'x');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('space');
  });
});

describe('POST …/activate', () => {
  test('answers 200 with the product and its active version; 409 while it has no files', async () => {
    const testShop = await openTestShop();
    const { at, answer } = await openVersion(testShop);
    const empty = await activate(testShop, at);
    expect(empty.statusCode).toBe(409);
    expect(empty.json()).toEqual({ error: expect.stringMatching(/no files/) });
    await upload(testShop, at, 'felt.zip', 'hello');
    const done = await activate(testShop, at);
    expect(done.statusCode).toBe(200);
    const { id } = answer.json();
    expect(done.json()).toMatchObject({
      product: { id: testShop.shop.product.id, activeVersionId: id },
      activeVersion: { id, status: 'ready', files: [{ name: 'felt.zip', size: 5 }] },
    });
  });

  test('ignores any body', async ({ testShop }) => {
    const { at } = await openVersion(testShop);
    await upload(testShop, at, 'felt.zip', 'hello');
    const headers = { ...bearer(testShop.shop.ownerKey), 'content-type': 'application/json' };
    for (const payload of ['', '{}', '{', 'null']) {
      expect((await activate(testShop, at, { headers, payload })).statusCode, payload).toBe(200);
    }
  });

  test('answers 404 for an unknown version', async ({ testShop }) => {
    expect(
      (await activate(testShop, `/api/products/${testShop.shop.product.id}/versions/nonsense`)).statusCode,
    ).toBe(404);
  });
});
