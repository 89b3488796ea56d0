import type { DataStore } from '@tus/server';
import { describe, expect } from 'vitest';
import { openTestShop } from './open-test-shop.ts';
import {
  askAfter,
  beginUpload,
  filesOf,
  goLive,
  HELLO,
  openVersion,
  sendPiece,
  sha256,
} from './open-upload.ts';
import { test } from './test-in-shop.ts';

describe('an upload in pieces', () => {
  test('is completed by the next request, if the program ended between its last byte and its becoming a file', async () => {
    let ended = true;
    const testShop = await openTestShop(({ products }) => ({
      products: {
        ...products,
        putFile: (...file) => (ended ? Promise.reject(new Error('ended')) : products.putFile(...file)),
      },
    }));
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    expect((await sendPiece(testShop, path, 0, HELLO)).statusCode).toBe(500);
    ended = false;
    const both = await Promise.all([askAfter(testShop, path), askAfter(testShop, path)]);
    for (const asked of both) expect(asked.headers).toHaveProperty('repr-digest');
    expect(await filesOf(testShop, version)).toHaveLength(1);
  });

  test('is said to be whole by a request during which another one completes it', async () => {
    let asked = 0;
    let getUpload: DataStore['getUpload'] | undefined;
    const testShop = await openTestShop(({ products, uploads }) => ({
      products: {
        ...products,
        putFile: (...file) => (asked === 0 ? Promise.reject(new Error('ended')) : products.putFile(...file)),
      },
      uploads: {
        ...uploads,
        pieces: async () => {
          const pieces = await uploads.pieces();
          getUpload ??= pieces.getUpload.bind(pieces);
          const look = getUpload;
          pieces.getUpload = async (id) => {
            // The protocol looks first; then whether it is whole is looked up again.
            if (asked > 0 && ++asked === 3) await askAfter(testShop, path);
            return look(id);
          };
          return pieces;
        },
      },
    }));
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    expect((await sendPiece(testShop, path, 0, HELLO)).statusCode).toBe(500);
    asked = 1;
    const answer = await askAfter(testShop, path);
    expect(asked).toBeGreaterThan(3);
    expect([answer.statusCode, answer.headers['upload-offset']]).toEqual([200, `${HELLO.length}`]);
    expect(answer.headers).toHaveProperty('repr-digest');
    expect(await filesOf(testShop, version)).toHaveLength(1);
  });

  test('keeps its bytes when the file store fails at its end, so that another request is enough', async () => {
    let away = true;
    const testShop = await openTestShop(({ uploads }) => ({
      uploads: {
        ...uploads,
        keep: (...upload) =>
          away
            ? Promise.reject(Object.assign(new Error('away'), { code: 'file-store-away' }))
            : uploads.keep(...upload),
      },
    }));
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    const failed = await sendPiece(testShop, path, 0, HELLO);
    expect([failed.statusCode, failed.json()]).toEqual([
      503,
      { error: expect.stringContaining('cannot be reached') },
    ]);
    expect((await askAfter(testShop, path)).statusCode).toBe(503);
    away = false;
    expect((await askAfter(testShop, path)).headers).toHaveProperty('repr-digest');
    expect(await filesOf(testShop, version)).toHaveLength(1);
  });

  test('reports a full disk, and continues when there is room', async () => {
    let full = true;
    const testShop = await openTestShop(({ uploads }) => ({
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
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    const refused = await sendPiece(testShop, path, 0, HELLO);
    expect([refused.statusCode, refused.json()]).toEqual([
      507,
      { error: expect.stringContaining('no room left') },
    ]);
    expect((await askAfter(testShop, path)).headers['upload-offset']).toBe('0');
    full = false;
    expect((await sendPiece(testShop, path, 0, HELLO)).statusCode).toBe(204);
    expect(await filesOf(testShop, version)).toHaveLength(1);
  });

  test('whose content does not match its digest is discarded, and creates no file', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length, { sha256: sha256(Buffer.from('other')) });
    const answer = await sendPiece(testShop, path, 0, HELLO);
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: expect.stringContaining('SHA-256') }]);
    expect(await filesOf(testShop, version)).toEqual([]);
    expect((await askAfter(testShop, path)).statusCode).toBe(404);
    const again = await beginUpload(testShop, version, HELLO.length, { sha256: sha256(HELLO) });
    expect((await sendPiece(testShop, again, 0, HELLO)).statusCode).toBe(204);
  });

  test('to a version that went live meanwhile is rejected and discarded', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, HELLO.length);
    await goLive(testShop, version);
    const answer = await sendPiece(testShop, path, 0, HELLO);
    expect([answer.statusCode, answer.json()]).toEqual([
      410,
      { error: expect.stringContaining('was active') },
    ]);
    expect((await askAfter(testShop, path)).statusCode).toBe(404);
    await expect(beginUpload(testShop, version, 1)).rejects.toThrow('410');
  });
});
