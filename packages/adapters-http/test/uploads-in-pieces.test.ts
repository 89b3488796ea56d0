import { openShop } from '@handover/testkit';
import { describe, expect } from 'vitest';
import { addUser } from './add-user.ts';
import { openTestShop } from './open-test-shop.ts';
import {
  askAfter,
  beginUpload,
  filesOf,
  HELLO,
  metadata,
  openVersion,
  sendPiece,
  sha256,
  tusHeaders,
} from './open-upload.ts';
import { test } from './test-in-shop.ts';

describe('an upload in pieces', () => {
  test('becomes a file of its version with its last byte, and not before', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    const first = await sendPiece(testShop, path, 0, HELLO.subarray(0, 5));
    expect([first.statusCode, first.headers['upload-offset'], first.headers['repr-digest']]).toEqual([
      204,
      '5',
      undefined,
    ]);
    expect(await filesOf(testShop, version)).toEqual([]);
    const asked = await askAfter(testShop, path);
    expect(asked.headers).toMatchObject({ 'upload-offset': '5', 'upload-length': '11' });
    const last = await sendPiece(testShop, path, 5, HELLO.subarray(5));
    expect(last.statusCode).toBe(204);
    const digest = Buffer.from(sha256(HELLO), 'hex').toString('base64');
    expect(last.headers['repr-digest']).toBe(`sha-256=:${digest}:`);
    expect(await filesOf(testShop, version)).toEqual([{ name: 'felt.zip', size: 11, sha256: sha256(HELLO) }]);
  });

  test('can be empty', async ({ testShop }) => {
    const version = await openVersion(testShop);
    await beginUpload(testShop, version, 0);
    expect(await filesOf(testShop, version)).toEqual([
      { name: 'felt.zip', size: 0, sha256: sha256(Buffer.of()) },
    ]);
  });

  test('repeats the answer when its sender missed the last one', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    const { headers } = await sendPiece(testShop, path, 0, HELLO);
    const asked = await askAfter(testShop, path);
    expect(asked.headers).toMatchObject({
      'upload-offset': '11',
      'upload-length': '11',
      'repr-digest': headers['repr-digest'],
    });
    expect((await sendPiece(testShop, path, 11, Buffer.of())).statusCode).toBe(204);
    expect((await sendPiece(testShop, path, 0, HELLO)).statusCode).toBe(409);
  });

  test('is removed when its sender cancels it', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const url = await beginUpload(testShop, version, HELLO.length);
    const giveUp = () =>
      testShop.app.inject({ method: 'DELETE', url, headers: tusHeaders(testShop.shop.ownerKey) });
    expect((await giveUp()).statusCode).toBe(204);
    expect((await giveUp()).statusCode).toBe(404);
    expect((await askAfter(testShop, url)).statusCode).toBe(404);
  });

  test('takes a POST that names PATCH or DELETE as that method, and no other POST', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const post = (url: string, method: string) => {
      const headers = { ...tusHeaders(testShop.shop.ownerKey), 'x-http-method-override': method };
      return sendPiece(testShop, url, 0, HELLO, headers, 'POST');
    };
    const path = await beginUpload(testShop, version, HELLO.length);
    const sent = await post(path, 'PATCH');
    expect([sent.statusCode, sent.headers['upload-offset']]).toEqual([204, '11']);
    expect(await filesOf(testShop, version)).toMatchObject([{ name: 'felt.zip', sha256: sha256(HELLO) }]);
    const other = await beginUpload(testShop, version, HELLO.length);
    const refused = await post(other, 'GET');
    expect([refused.statusCode, refused.headers.allow]).toEqual([405, 'HEAD, PATCH, DELETE']);
    expect((await post(other, 'delete')).statusCode).toBe(204);
    expect((await askAfter(testShop, other)).statusCode).toBe(404);
  });

  test('belongs to its organisation: to another it is unknown, whatever the request', async () => {
    const testShop = await openTestShop();
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    const other = await openShop({ ...testShop.ports, stores: testShop.stores }, 'Other');
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      for (const url of [path, path.replace(testShop.shop.orgId, other.orgId)]) {
        const headers = {
          ...tusHeaders(other.ownerKey),
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        };
        const answer = await testShop.app.inject({
          method,
          url,
          headers,
          ...(method === 'PATCH' ? { payload: 'x' } : {}),
        });
        expect([method, url, answer.statusCode]).toEqual([method, url, 404]);
      }
    }
    const theirs = await testShop.app.inject({
      method: 'POST',
      url: '/api/uploads',
      headers: {
        ...tusHeaders(other.ownerKey),
        'upload-length': '1',
        'upload-metadata': metadata({ ...version, filename: 'a' }),
      },
    });
    expect(theirs.statusCode).toBe(404);
    expect((await askAfter(testShop, path)).headers['upload-offset']).toBe('0');
    const member = await addUser(testShop, { orgId: testShop.shop.orgId, role: 'member' });
    expect((await askAfter(testShop, path, tusHeaders(member))).statusCode).toBe(200);
  });

  test.each([
    ['productId', { versionId: 'v', filename: 'f' }],
    ['versionId', { productId: 'p', filename: 'f' }],
    ['filename', { productId: 'p', versionId: 'v' }],
    ['filename', { productId: 'p', versionId: 'v', filename: '../f' }],
    ['sha256', { productId: 'p', versionId: 'v', filename: 'f', sha256: 'ABC' }],
  ])('must state what it becomes: %s', async (name, members) => {
    const testShop = await openTestShop();
    const headers = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-length': '1',
      'upload-metadata': metadata(members),
    };
    const answer = await testShop.app.inject({ method: 'POST', url: '/api/uploads', headers });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: expect.stringContaining(`“${name}”`) },
    ]);
  });

  test.each(['', 'x y z', 'productId !!!!', 'a,,b'])(
    'is not begun by metadata such as “%s”',
    async (text) => {
      const testShop = await openTestShop();
      const headers = {
        ...tusHeaders(testShop.shop.ownerKey),
        'upload-length': '1',
        'upload-metadata': text,
      };
      const answer = await testShop.app.inject({ method: 'POST', url: '/api/uploads', headers });
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    },
  );
});
