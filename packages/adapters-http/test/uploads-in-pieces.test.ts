import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { openShop } from '@handover/domain/testing';
import { Upload } from 'tus-js-client';
import { describe, expect, test, vi } from 'vitest';
import { addUser } from './add-user.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import {
  askAfter,
  beginUpload,
  metadata,
  openVersion,
  sendPiece,
  sha256,
  type TestVersion,
  tusHeaders,
} from './open-upload.ts';
import { listen } from './over-the-wire.ts';

const HELLO = Buffer.from('hello world');

async function filesOf(it: TestShop, { productId, versionId }: TestVersion) {
  return (await it.stores.products.findVersion(it.shop.orgId, productId, versionId))?.files ?? [];
}

describe('an upload in pieces', () => {
  test('becomes a file of its version with its last byte, and not before', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const first = await sendPiece(it, path, 0, HELLO.subarray(0, 5));
    expect([first.statusCode, first.headers['upload-offset'], first.headers['repr-digest']]).toEqual([
      204,
      '5',
      undefined,
    ]);
    expect(await filesOf(it, version)).toEqual([]);
    const asked = await askAfter(it, path);
    expect(asked.headers).toMatchObject({ 'upload-offset': '5', 'upload-length': '11' });
    const last = await sendPiece(it, path, 5, HELLO.subarray(5));
    expect(last.statusCode).toBe(204);
    const digest = Buffer.from(sha256(HELLO), 'hex').toString('base64');
    expect(last.headers['repr-digest']).toBe(`sha-256=:${digest}:`);
    expect(await filesOf(it, version)).toEqual([{ name: 'felt.zip', size: 11, sha256: sha256(HELLO) }]);
  });

  test('may have nothing in it', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    await beginUpload(it, version, 0);
    expect(await filesOf(it, version)).toEqual([{ name: 'felt.zip', size: 0, sha256: sha256(Buffer.of()) }]);
  });

  test('answers the same again when its sender missed the last answer', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const { headers } = await sendPiece(it, path, 0, HELLO);
    const asked = await askAfter(it, path);
    expect(asked.headers).toMatchObject({
      'upload-offset': '11',
      'upload-length': '11',
      'repr-digest': headers['repr-digest'],
    });
    expect((await sendPiece(it, path, 11, Buffer.of())).statusCode).toBe(204);
    expect((await sendPiece(it, path, 0, HELLO)).statusCode).toBe(409);
  });

  test('is finished by whoever asks, if the program ended between its last byte and its becoming a file', async () => {
    let ended = true;
    const it = await openTestShop(({ products }) => ({
      products: {
        ...products,
        putFile: (...file) => (ended ? Promise.reject(new Error('ended')) : products.putFile(...file)),
      },
    }));
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    expect((await sendPiece(it, path, 0, HELLO)).statusCode).toBe(500);
    ended = false;
    const both = await Promise.all([askAfter(it, path), askAfter(it, path)]);
    for (const asked of both) expect(asked.headers).toHaveProperty('repr-digest');
    expect(await filesOf(it, version)).toHaveLength(1);
  });

  test('keeps what came in when the file store fails at its end, so that asking again is enough', async () => {
    let away = true;
    const it = await openTestShop(({ uploads }) => ({
      uploads: {
        ...uploads,
        keep: (...upload) =>
          away
            ? Promise.reject(Object.assign(new Error('away'), { code: 'file-store-away' }))
            : uploads.keep(...upload),
      },
    }));
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const failed = await sendPiece(it, path, 0, HELLO);
    expect([failed.statusCode, failed.json()]).toEqual([
      503,
      { error: expect.stringContaining('cannot be reached') },
    ]);
    expect((await askAfter(it, path)).statusCode).toBe(503);
    away = false;
    expect((await askAfter(it, path)).headers).toHaveProperty('repr-digest');
    expect(await filesOf(it, version)).toHaveLength(1);
  });

  test('says so when there is no room for a piece, and goes on when there is', async () => {
    let full = true;
    const it = await openTestShop(({ uploads }) => ({
      uploads: {
        ...uploads,
        pieces: async () => {
          const pieces = await uploads.pieces();
          const write = pieces.write.bind(pieces);
          pieces.write = async (...piece) => {
            if (full) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
            return write(...piece);
          };
          return pieces;
        },
      },
    }));
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const refused = await sendPiece(it, path, 0, HELLO);
    expect([refused.statusCode, refused.json()]).toEqual([
      507,
      { error: expect.stringContaining('no room left') },
    ]);
    expect((await askAfter(it, path)).headers['upload-offset']).toBe('0');
    full = false;
    expect((await sendPiece(it, path, 0, HELLO)).statusCode).toBe(204);
    expect(await filesOf(it, version)).toHaveLength(1);
  });

  test('whose content is not what its sender said is forgotten, and no file', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length, { sha256: sha256(Buffer.from('other')) });
    const answer = await sendPiece(it, path, 0, HELLO);
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.stringContaining('SHA-256') }]);
    expect(await filesOf(it, version)).toEqual([]);
    expect((await askAfter(it, path)).statusCode).toBe(404);
    const again = await beginUpload(it, version, HELLO.length, { sha256: sha256(HELLO) });
    expect((await sendPiece(it, again, 0, HELLO)).statusCode).toBe(204);
  });

  test('of a version that went live meanwhile is refused, and forgotten', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const headers = bearer(it.shop.ownerKey);
    const at = `/api/products/${version.productId}/versions/${version.versionId}`;
    await it.app.inject({ method: 'PUT', url: `${at}/files/a.zip`, headers, payload: 'a' });
    await it.app.inject({ method: 'POST', url: `${at}/activate`, headers });
    const answer = await sendPiece(it, path, 0, HELLO);
    expect([answer.statusCode, answer.json()]).toEqual([
      410,
      { error: expect.stringContaining('was active') },
    ]);
    expect((await askAfter(it, path)).statusCode).toBe(404);
    await expect(beginUpload(it, version, 1)).rejects.toThrow('410');
  });

  test('is forgotten when its sender gives it up', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const url = await beginUpload(it, version, HELLO.length);
    const giveUp = () => it.app.inject({ method: 'DELETE', url, headers: tusHeaders(it.shop.ownerKey) });
    expect((await giveUp()).statusCode).toBe(204);
    expect((await giveUp()).statusCode).toBe(404);
    expect((await askAfter(it, url)).statusCode).toBe(404);
  });

  test('belongs to its organisation: to another it is unknown, whatever they ask', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, HELLO.length);
    const other = await openShop({ ...it.ports, stores: it.stores }, 'Other');
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      for (const url of [path, path.replace(it.shop.orgId, other.orgId)]) {
        const headers = {
          ...tusHeaders(other.ownerKey),
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
        };
        const answer = await it.app.inject({
          method,
          url,
          headers,
          ...(method === 'PATCH' ? { payload: 'x' } : {}),
        });
        expect([method, url, answer.statusCode]).toEqual([method, url, 404]);
      }
    }
    const theirs = await it.app.inject({
      method: 'POST',
      url: '/api/uploads',
      headers: {
        ...tusHeaders(other.ownerKey),
        'upload-length': '1',
        'upload-metadata': metadata({ ...version, filename: 'a' }),
      },
    });
    expect(theirs.statusCode).toBe(404);
    expect((await askAfter(it, path)).headers['upload-offset']).toBe('0');
    const member = await addUser(it, { orgId: it.shop.orgId, role: 'member' });
    expect((await askAfter(it, path, member)).statusCode).toBe(200);
  });

  test.each([
    ['productId', { versionId: 'v', filename: 'f' }],
    ['versionId', { productId: 'p', filename: 'f' }],
    ['filename', { productId: 'p', versionId: 'v' }],
    ['filename', { productId: 'p', versionId: 'v', filename: '../f' }],
    ['sha256', { productId: 'p', versionId: 'v', filename: 'f', sha256: 'ABC' }],
  ])('must say what it is to become: %s', async (name, members) => {
    const it = await openTestShop();
    const headers = {
      ...tusHeaders(it.shop.ownerKey),
      'upload-length': '1',
      'upload-metadata': metadata(members),
    };
    const answer = await it.app.inject({ method: 'POST', url: '/api/uploads', headers });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: expect.stringContaining(`“${name}”`) },
    ]);
  });

  test.each(['', 'x y z', 'productId !!!!', 'a,,b'])(
    'is not begun by metadata such as “%s”',
    async (text) => {
      const it = await openTestShop();
      const headers = { ...tusHeaders(it.shop.ownerKey), 'upload-length': '1', 'upload-metadata': text };
      const answer = await it.app.inject({ method: 'POST', url: '/api/uploads', headers });
      expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.any(String) }]);
    },
  );
});

describe('over the wire', () => {
  const content = Buffer.alloc(20_000_000, 'felt piano ');

  test.each([10, 50, 99])(
    'a piece that is cut at %i % stays, and the rest makes the same file',
    async (percent) => {
      const it = await openTestShop();
      const version = await openVersion(it);
      const path = await beginUpload(it, version, content.length);
      const port = await listen(it.app);
      const cut = Math.floor((content.length * percent) / 100);
      const headers = {
        ...tusHeaders(it.shop.ownerKey),
        'upload-offset': '0',
        'content-length': content.length,
        'content-type': 'application/offset+octet-stream',
      };
      const piece = httpRequest({ port, path, method: 'PATCH', headers });
      piece.on('error', () => undefined);
      await new Promise((resolve) => piece.write(content.subarray(0, cut), resolve));
      piece.destroy();
      const offsetNow = async () => Number((await askAfter(it, path)).headers['upload-offset']);
      await vi.waitUntil(async () => (await offsetNow()) > 0);
      await vi.waitUntil(() => it.log.requests().some(({ method }) => method === 'PATCH'));
      const offset = await offsetNow();
      expect(offset).toBeLessThanOrEqual(cut);
      expect(await filesOf(it, version)).toEqual([]);
      expect((await sendPiece(it, path, offset, content.subarray(offset))).statusCode).toBe(204);
      expect(await filesOf(it, version)).toEqual([
        { name: 'felt.zip', size: content.length, sha256: sha256(content) },
      ]);
    },
  );

  test('a refused piece gets its answer, however much is still to come', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const path = await beginUpload(it, version, 5);
    const port = await listen(it.app);
    const headers = {
      ...tusHeaders(it.shop.ownerKey),
      'upload-offset': '3',
      'content-length': content.length,
      'content-type': 'application/offset+octet-stream',
    };
    const piece = httpRequest({ port, path, method: 'PATCH', headers });
    piece.on('error', () => undefined);
    piece.end(content);
    const [answer] = await once(piece, 'response');
    expect(answer.statusCode).toBe(409);
    expect(answer.headers.connection).toBe('close');
  });

  test('two senders of one file at once end with the one file', async () => {
    const it = await openTestShop();
    const version = await openVersion(it);
    const port = await listen(it.app);
    const send = () =>
      new Promise<void>((resolve, reject) => {
        new Upload(content, {
          endpoint: `http://127.0.0.1:${port}/api/uploads`,
          headers: bearer(it.shop.ownerKey),
          metadata: { ...version, filename: 'felt.zip', sha256: sha256(content) },
          chunkSize: 3_000_000,
          retryDelays: null,
          onSuccess: () => resolve(),
          onError: reject,
        }).start();
      });
    await Promise.all([send(), send()]);
    expect(await filesOf(it, version)).toEqual([
      { name: 'felt.zip', size: content.length, sha256: sha256(content) },
    ]);
  });
});
