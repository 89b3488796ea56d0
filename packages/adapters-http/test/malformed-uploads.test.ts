import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { addUser } from './add-user.ts';
import { openTestShop, type TestShop } from './open-test-shop.ts';
import {
  askAfter,
  beginUpload,
  filesOf,
  metadata,
  openVersion,
  tusHeaders,
  versionPath,
} from './open-upload.ts';
import { type Headers, listen, type Sent, sendOverWire } from './over-the-wire.ts';
import { test } from './test-in-shop.ts';

// Whatever is wrong with an upload is a 4xx that says why, in the format of its endpoint; and nobody hears of it who may
// not upload at all.

/** A header of this value is not sent. */
const NONE = '';

function without(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== NONE));
}

describe('an upload in pieces', () => {
  const CREATE: readonly (readonly [string, Headers, number, RegExp])[] = [
    ['no protocol', { 'tus-resumable': NONE }, 412, /Tus-Resumable/],
    ['another protocol', { 'tus-resumable': '0.2.2' }, 412, /Tus-Resumable/],
    ['no length', { 'upload-length': NONE }, 400, /Upload-Length/],
    ['a length that is negative', { 'upload-length': '-1' }, 400, /Upload-Length/],
    ['a length that is not a number', { 'upload-length': 'x' }, 400, /Upload-Length/],
    ['a length with a fraction', { 'upload-length': '1.5' }, 400, /Upload-Length/],
    ['a length beyond all', { 'upload-length': '9'.repeat(20) }, 400, /Upload-Length/],
    ['a length, though deferred', { 'upload-defer-length': '1' }, 400, /Upload-Defer-Length/],
    [
      'a length that is deferred oddly',
      { 'upload-length': NONE, 'upload-defer-length': '2' },
      400,
      /Upload-Defer-Length/,
    ],
    ['a part of a concatenation', { 'upload-concat': 'partial' }, 400, /Upload-Concat.*parallel/],
    [
      'a concatenation',
      { 'upload-length': NONE, 'upload-concat': 'final;/api/uploads/a /api/uploads/b' },
      400,
      /Upload-Concat/,
    ],
    [
      'a checksum',
      { 'upload-checksum': 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=' },
      400,
      /Upload-Checksum.*sha256/,
    ],
    ['an encoding', { 'content-encoding': 'gzip' }, 400, /Content-Encoding/],
    ['no metadata', { 'upload-metadata': NONE }, 400, /productId|Upload-Metadata/],
    ['metadata that cannot be read', { 'upload-metadata': 'a b c,,' }, 400, /Upload-Metadata/],
  ];

  test.each(CREATE)('that starts with %s', async (_name, changes, status, words) => {
    const testShop = await openTestShop();
    const port = await listen(testShop.app);
    const own = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-length': '5',
      'upload-metadata': metadata({ ...(await openVersion(testShop)), filename: 'a' }),
    };
    const sent = { method: 'POST', path: '/api/uploads', headers: without({ ...own, ...changes }) };
    const answer = await sendOverWire(port, sent);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: expect.stringMatching(words) },
    ]);
    expect(answer.headers['tus-resumable']).toBe('1.0.0');
    if (status === 412) expect(answer.headers['tus-version']).toBe('1.0.0');
    await expectCheckedFirst(testShop, port, sent);
  });

  const PIECE: readonly (readonly [string, Headers, string, number, RegExp])[] = [
    ['no protocol', { 'tus-resumable': NONE }, 'hello', 412, /Tus-Resumable/],
    ['no offset', { 'upload-offset': NONE }, 'hello', 400, /Upload-Offset/],
    ['an offset that is not a number', { 'upload-offset': 'x' }, 'hello', 400, /Upload-Offset/],
    ['an offset that is negative', { 'upload-offset': '-1' }, 'hello', 400, /Upload-Offset/],
    ['an offset that is elsewhere', { 'upload-offset': '3' }, 'he', 409, /Upload-Offset/],
    ['another type', { 'content-type': 'text/plain' }, 'hello', 400, /Content-Type/],
    ['no type', { 'content-type': NONE }, 'hello', 400, /Content-Type/],
    ['a type that is none', { 'content-type': ';' }, 'hello', 400, /Content-Type/],
    ['an encoding', { 'content-encoding': 'br' }, 'hello', 400, /Content-Encoding/],
    ['a checksum', { 'upload-checksum': 'md5 x' }, 'hello', 400, /Upload-Checksum/],
    ['another length', { 'upload-length': '6' }, 'hello', 400, /Upload-Length/],
    ['a length that is not a number', { 'upload-length': 'x' }, 'hello', 400, /Upload-Length/],
    ['more bytes than it was to have', {}, 'hello world', 413, /more bytes/],
    ['more bytes, unannounced', { 'transfer-encoding': 'chunked' }, 'hello world', 413, /more bytes/],
  ];

  test.each(PIECE)('that sends a piece with %s', async (_name, changes, body, status, words) => {
    const testShop = await openTestShop();
    const port = await listen(testShop.app);
    const path = await beginUpload(testShop, await openVersion(testShop), 5);
    const own = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const sent = { method: 'PATCH', path, headers: without({ ...own, ...changes }), body };
    const answer = await sendOverWire(port, sent);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: expect.stringMatching(words) },
    ]);
    // It can go on.
    const offset = (await askAfter(testShop, path)).headers['upload-offset'];
    expect(Number(offset)).toBeLessThanOrEqual(5);
    await expectCheckedFirst(testShop, port, sent);
  });

  test.each([
    ['DELETE', '/api/uploads', 405],
    ['DELETE', '/api/uploads/x', 404],
    ['DELETE', '/api/uploads/..%2f..%2fsecrets', 404],
    ['PATCH', '/api/uploads/x', 404],
    ['OPTIONS', '/api/uploads/x', 405],
    ['GET', '/api/uploads', 405],
  ])('does not exist at %s %s', async (method, path, status) => {
    const testShop = await openTestShop();
    const headers = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const answer = await sendOverWire(await listen(testShop.app), { method, path, headers });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { error: expect.any(String) }]);
  });

  test('is gone when it is deleted twice', async ({ testShop }) => {
    const port = await listen(testShop.app);
    const path = await beginUpload(testShop, await openVersion(testShop), 5);
    const ask = () =>
      sendOverWire(port, { method: 'DELETE', path, headers: tusHeaders(testShop.shop.ownerKey) });
    expect((await ask()).status).toBe(204);
    expect((await ask()).status).toBe(404);
  });

  test('never causes a 5xx, whatever its headers and its body', async ({ testShop }) => {
    const port = await listen(testShop.app);
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, 5);
    const values = fc.constantFrom(
      '',
      '0',
      '1',
      '5',
      '-1',
      '1e3',
      'x',
      '9'.repeat(30),
      'partial',
      'final;',
      'sha1 x',
      'gzip',
      '1.0.0',
      'filename YQ==',
      ' ',
      ',',
    );
    const names = fc.constantFrom(
      'upload-offset',
      'upload-length',
      'upload-defer-length',
      'upload-concat',
      'upload-checksum',
      'upload-metadata',
      'tus-resumable',
      'content-type',
      'content-encoding',
      'x-forwarded-proto',
      'x-http-method-override',
    );
    const own = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-offset': '0',
      'upload-length': '5',
      'upload-metadata': metadata({ ...version, filename: 'a' }),
      'content-type': 'application/offset+octet-stream',
    };
    const sent = fc.record({
      to: fc.constantFrom(
        ['POST', '/api/uploads'],
        ['PATCH', path],
        ['DELETE', `${path}x`],
        ['OPTIONS', '/api/uploads'],
      ),
      changes: fc.dictionary(names, values, { maxKeys: 3 }),
      body: fc.string({ maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(sent, async ({ to: [method = '', at = ''], changes, body }) => {
        const answer = await sendOverWire(port, { method, path: at, headers: { ...own, ...changes }, body });
        expect(answer.status, JSON.stringify([method, changes, body, answer.body])).toBeLessThan(500);
        if (answer.status >= 400)
          expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(/\.$/) });
      }),
      { numRuns: 150 },
    );
  });
});

describe('a file that is sent whole', () => {
  test.each([
    ['with an encoding', { 'content-encoding': 'gzip' }, 415, /Content-Encoding/],
    ['with a digest that cannot be read', { 'repr-digest': 'sha-256=x' }, 400, /repr-digest/],
    [
      'with another digest',
      { 'repr-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` },
      400,
      /SHA-256/,
    ],
  ])('%s', async (_name, headers, status, words) => {
    const testShop = await openTestShop();
    const version = await openVersion(testShop);
    const port = await listen(testShop.app);
    const own = { 'x-api-key': testShop.shop.ownerKey };
    const sent = {
      method: 'PUT',
      path: `${versionPath(version)}/files/a`,
      headers: { ...own, ...headers },
      body: 'hello',
    };
    const answer = await sendOverWire(port, sent);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: expect.stringMatching(words) },
    ]);
    expect(await filesOf(testShop, version)).toEqual([]);
    await expectCheckedFirst(testShop, port, sent);
  });
});

/** The same request without a key, and with the key of a user who may not. */
async function expectCheckedFirst(testShop: TestShop, port: number, sent: Sent): Promise<void> {
  const { authorization: _, 'x-api-key': __, ...headers } = sent.headers ?? {};
  expect((await sendOverWire(port, { ...sent, headers })).status).toBe(401);
  const outsider = { ...headers, 'x-api-key': await addUser(testShop, null) };
  expect((await sendOverWire(port, { ...sent, headers: outsider })).status).toBe(403);
}
