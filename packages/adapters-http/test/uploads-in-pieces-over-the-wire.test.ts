import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Upload } from 'tus-js-client';
import { describe, expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { bearer, openTestShop } from './open-test-shop.ts';
import { askAfter, beginUpload, filesOf, openVersion, sendPiece, sha256, tusHeaders } from './open-upload.ts';
import { listen } from './over-the-wire.ts';
import { test } from './test-in-shop.ts';

describe('an upload in pieces, over the wire', () => {
  const content = Buffer.alloc(20_000_000, 'felt piano ');

  test.each([10, 50, 99])(
    'a piece that is cut at %i % stays, and the rest makes the same file',
    async (percent) => {
      const testShop = await openTestShop();
      const version = await openVersion(testShop);
      const path = await beginUpload(testShop, version, content.length);
      const port = await listen(testShop.app);
      const cut = Math.floor((content.length * percent) / 100);
      const headers = {
        ...tusHeaders(testShop.shop.ownerKey),
        'upload-offset': '0',
        'content-length': content.length,
        'content-type': 'application/offset+octet-stream',
      };
      const piece = httpRequest({ port, path, method: 'PATCH', headers });
      piece.on('error', () => undefined);
      await new Promise((resolve) => piece.write(content.subarray(0, cut), resolve));
      piece.destroy();
      const offsetNow = async () => Number((await askAfter(testShop, path)).headers['upload-offset']);
      await vi.waitUntil(async () => (await offsetNow()) > 0, WAIT_TIMEOUT_MS);
      await vi.waitUntil(
        () => testShop.log.requests().some(({ method }) => method === 'PATCH'),
        WAIT_TIMEOUT_MS,
      );
      const offset = await offsetNow();
      expect(offset).toBeLessThanOrEqual(cut);
      expect(await filesOf(testShop, version)).toEqual([]);
      expect((await sendPiece(testShop, path, offset, content.subarray(offset))).statusCode).toBe(204);
      expect(await filesOf(testShop, version)).toEqual([
        { name: 'felt.zip', size: content.length, sha256: sha256(content) },
      ]);
    },
  );

  test('answers a rejected piece, however much of it is still to come', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, 5);
    const port = await listen(testShop.app);
    const headers = {
      ...tusHeaders(testShop.shop.ownerKey),
      'upload-offset': '3',
      'content-length': content.length,
      'content-type': 'application/offset+octet-stream',
    };
    const piece = httpRequest({ port, path, method: 'PATCH', headers });
    piece.on('error', () => undefined);
    piece.end(content);
    const [answer] = await once(piece, 'response');
    expect(answer.statusCode).toBe(409);
  });

  test('creates one file when two senders send it at once', async ({ testShop }) => {
    const version = await openVersion(testShop);
    const port = await listen(testShop.app);
    const send = () =>
      new Promise<void>((resolve, reject) => {
        new Upload(content, {
          endpoint: `http://127.0.0.1:${port}/api/uploads`,
          headers: bearer(testShop.shop.ownerKey),
          metadata: { ...version, filename: 'felt.zip', sha256: sha256(content) },
          chunkSize: 3_000_000,
          retryDelays: null,
          onSuccess: () => resolve(),
          onError: reject,
        }).start();
      });
    await Promise.all([send(), send()]);
    expect(await filesOf(testShop, version)).toEqual([
      { name: 'felt.zip', size: content.length, sha256: sha256(content) },
    ]);
  });
});
