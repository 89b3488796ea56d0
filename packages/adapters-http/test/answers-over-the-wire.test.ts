import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { signedSample } from '@handover/platform-storefront-a/testing';
import { describe, expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { bearer, openTestShop } from './open-test-shop.ts';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';
import { test } from './test-in-shop.ts';

// What only a real connection can show: readers that stop or go away, lists that break, answers while closing.

describe('a download', () => {
  test('is read no faster than its client reads, and no further once the client is gone', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const chunks = 16_384;
    const files = [{ name: 'huge.bin', size: chunk.length * chunks, sha256: 'ab'.repeat(32) }];
    let read = 0;
    const closed = Promise.withResolvers<void>();
    const sale = await sellPads(
      (page) => ({ ...page, version: { label: '1', files } }),
      (ports) => ({
        files: {
          ...ports.files,
          open: async () =>
            (async function* () {
              try {
                for (; read < chunks; read += 1) yield chunk;
              } finally {
                closed.resolve();
              }
            })(),
        },
      }),
    );
    const socket = await dial(await listen(sale.app), [
      `GET /d/${sale.token}/files/1/huge.bin HTTP/1.1`,
      'Host: x',
    ]);
    await once(socket, 'readable');
    await untilSteady(() => read);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(chunks / 4);
    socket.destroy();
    await closed.promise;
    await vi.waitUntil(() => sale.log.requests().length > 0, WAIT_TIMEOUT_MS);
    expect(sale.log.requests()[0]).toMatchObject({
      route: '/d/:token/files/:version/:fileName',
      brokenOff: true,
    });
  });

  test.each([
    ['shorter', 3],
    ['longer', 70_000],
  ])('of content %s than promised breaks the connection', async (_name, length) => {
    const sale = await sellPads(undefined, (ports) => ({
      files: {
        ...ports.files,
        open: async () =>
          (async function* () {
            yield Buffer.alloc(3);
            if (length > 3) yield Buffer.alloc(length - 3);
          })(),
      },
    }));
    const port = await listen(sale.app);
    const answer = await fetch(`http://127.0.0.1:${port}/d/${sale.token}/files/1.0/pads.zip`);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });
});

describe('a list', () => {
  async function openLong(rows: number, failAt = Number.POSITIVE_INFINITY) {
    let read = 0;
    const closed = Promise.withResolvers<void>();
    const testShop = await openTestShop(({ products }) => ({
      products: {
        ...products,
        list: async function* (orgId: string) {
          try {
            for await (const row of products.list(orgId)) {
              for (; read < rows; read += 1) {
                if (read === failAt) throw new Error('the database went away');
                yield row;
              }
            }
          } finally {
            closed.resolve();
          }
        },
      },
    }));
    const url = `http://127.0.0.1:${await listen(testShop.app)}/api/products`;
    return { it: testShop, url, closed, count: () => read };
  }

  test('of any length arrives completely', async () => {
    const { it, url } = await openLong(5000);
    const answer = await fetch(url, { headers: bearer(it.shop.ownerKey) });
    expect(await answer.json()).toHaveLength(5000);
  });

  test('answers with a regular error when the first row fails', async () => {
    const { it, url } = await openLong(10, 0);
    expect((await fetch(url, { headers: bearer(it.shop.ownerKey) })).status).toBe(500);
  });

  test('breaks the connection when a later row fails, so that half of it is not mistaken for the whole', async () => {
    const { it, url } = await openLong(5000, 4000);
    const answer = await fetch(url, { headers: bearer(it.shop.ownerKey) });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('is read no faster than its client reads, and no further once the client is gone', async () => {
    const { it, closed, count } = await openLong(10_000_000);
    const { port } = it.app.server.address() as AddressInfo;
    const socket = await dial(port, [
      'GET /api/products HTTP/1.1',
      'Host: x',
      `X-API-Key: ${it.shop.ownerKey}`,
    ]);
    await once(socket, 'readable');
    await untilSteady(count);
    expect(count()).toBeLessThan(1_000_000);
    socket.destroy();
    await closed.promise;
  });
});

describe('webhooks over a real connection', () => {
  test('answer 413 to a chunked body that is too long', async ({ testShop }) => {
    const path = `/webhooks/${testShop.shop.orgId}/storefront-a`;
    const headers = { 'x-storefront-a-hmac-sha256': 'x' };
    const sending = httpRequest({ port: await listen(testShop.app), path, method: 'POST', headers });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response');
    sending.write(Buffer.alloc(5 * 1024 * 1024));
    sending.write('x');
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    sending.destroy();
  });

  test('answer an accepted request even if the app closes meanwhile', async () => {
    const recording = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const testShop = await openTestShop(({ deliveries }) => ({
      deliveries: {
        ...deliveries,
        record: async (recordingOf) => {
          asked.resolve();
          await recording.promise;
          return deliveries.record(recordingOf);
        },
      },
    }));
    const url = `http://127.0.0.1:${await listen(testShop.app)}/webhooks/${testShop.shop.orgId}/storefront-a`;
    const sample = signedSample('test-secret', { orderId: '5001', email: 'ana@example.com', sku: 'pads' });
    const sending = fetch(url, { method: 'POST', headers: sample.headers, body: Buffer.from(sample.body) });
    await asked.promise;
    const closing = testShop.app.close();
    recording.resolve();
    expect((await sending).status).toBe(200);
    await closing;
  });
});

test('answer invalid HTTP in JSON, and do not log its bytes', async ({ testShop }) => {
  const socket = await dial(await listen(testShop.app), ['GARBAGE with-a-secret']);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.stringify(testShop.log.lines)).not.toContain('with-a-secret');
});
