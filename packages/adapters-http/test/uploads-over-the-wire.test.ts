import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ProductFile } from '@handover/domain';
import { describe, expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { bearer, openTestShop } from './open-test-shop.ts';
import { openVersion, versionPath } from './open-upload.ts';
import { dial, listen } from './over-the-wire.ts';
import { test } from './test-in-shop.ts';

describe('an upload', () => {
  test('reaches the store while it is still being sent', async () => {
    const seen = Promise.withResolvers<void>();
    const testShop = await openTestShop(({ files }) => ({
      files: {
        ...files,
        store: (orgId, content) =>
          files.store(
            orgId,
            (async function* () {
              for await (const chunk of content) {
                seen.resolve();
                yield chunk;
              }
            })(),
          ),
      },
    }));
    const path = `${versionPath(await openVersion(testShop))}/files/felt.zip`;
    const port = await listen(testShop.app);
    const upload = httpRequest({
      port,
      path,
      method: 'PUT',
      headers: { ...bearer(testShop.shop.ownerKey), 'content-length': 10 },
    });
    upload.write('hello');
    await seen.promise;
    upload.end('world');
    const [answer] = await once(upload, 'response');
    expect(answer.statusCode).toBe(201);
    expect(JSON.parse(await text(answer))).toMatchObject({ name: 'felt.zip', size: 10 });
  });

  async function openBroken() {
    const failed = Promise.withResolvers<Error>();
    const began = Promise.withResolvers<void>();
    const putFile = vi.fn();
    const testShop = await openTestShop(({ files, products }) => ({
      files: {
        ...files,
        store: async (_orgId, content) => {
          began.resolve();
          try {
            for await (const _ of content);
          } catch (error) {
            failed.resolve(error as Error);
            throw error;
          }
          return { size: 0, sha256: '' };
        },
      },
      products: {
        ...products,
        putFile: async (_orgId: string, _versionId: string, file: ProductFile) => putFile(file),
      },
    }));
    const path = `${versionPath(await openVersion(testShop))}/files/felt.zip`;
    const head = [
      `PUT ${path} HTTP/1.1`,
      'Host: x',
      `X-API-Key: ${testShop.shop.ownerKey}`,
      'Content-Length: 1000',
    ];
    const socket = await dial(await listen(testShop.app), head);
    socket.write('hello');
    await began.promise;
    return { it: testShop, socket, failed, putFile };
  }

  test('that breaks off fails in the store and leaves no file', async () => {
    const { it, socket, failed, putFile } = await openBroken();
    socket.destroy();
    await failed.promise;
    await vi.waitUntil(
      () => it.log.requests().some(({ route }) => String(route).includes('/files/')),
      WAIT_TIMEOUT_MS,
    );
    expect(it.log.requests().at(-1)).toMatchObject({ status: null, brokenOff: true, level: 'info' });
    expect(putFile).not.toHaveBeenCalled();
  });

  test('that ends too soon gets an error, if its client still listens', async () => {
    const { socket, failed, putFile } = await openBroken();
    socket.end();
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\{"error":"[^"]+"\}$/);
    await failed.promise;
    expect(putFile).not.toHaveBeenCalled();
  });

  test.each([
    ['ENOSPC', 507, 'no room left'],
    ['file-store-full', 507, 'no room left'],
    ['file-store-away', 503, 'cannot be reached'],
    ['file-store-denied', 500, 'FILES_URL'],
    ['file-store-missing', 500, 'FILES_URL'],
    ['EACCES', 500, 'FILES_URL'],
    ['EROFS', 500, 'FILES_URL'],
    ['ESTALE', 503, 'cannot be reached'],
  ])(
    'into a store that fails with %s is answered with %i, leaves no file, and can be repeated',
    async (code, status, word) => {
      let fails = true;
      const testShop = await openTestShop(({ files }) => ({
        files: {
          ...files,
          store: (orgId, content) =>
            fails
              ? Promise.reject(Object.assign(new Error('hunter2'), { code }))
              : files.store(orgId, content),
        },
      }));
      const version = versionPath(await openVersion(testShop));
      const port = await listen(testShop.app);
      const upload = () =>
        fetch(`http://127.0.0.1:${port}${version}/files/felt.zip`, {
          method: 'PUT',
          headers: bearer(testShop.shop.ownerKey),
          body: Buffer.alloc(3_000_000),
        });
      const failed = await upload();
      expect(failed.status).toBe(status);
      const { error } = (await failed.json()) as { readonly error: string };
      expect(error).toContain(word);
      expect(error).not.toContain('hunter2');
      const empty = {
        method: 'POST',
        url: `${version}/activate`,
        headers: bearer(testShop.shop.ownerKey),
      } as const;
      expect((await testShop.app.inject(empty)).statusCode).toBe(409);
      fails = false;
      expect((await upload()).status).toBe(201);
      expect((await testShop.app.inject(empty)).statusCode).toBe(200);
    },
  );

  test('that is rejected gets its answer, however much is still to come', async ({ testShop }) => {
    const port = await listen(testShop.app);
    const url = `http://127.0.0.1:${port}/api/products/${testShop.shop.product.id}/versions/${testShop.shop.version.id}/files/a`;
    const body = Buffer.alloc(20_000_000);
    for (const [key, status] of [
      [testShop.shop.ownerKey, 409],
      ['key-nope', 401],
    ] as const) {
      const answer = await fetch(url, { method: 'PUT', headers: bearer(key), body });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
    }
  });
});
