import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { createVersion } from '@handover/domain';
import { describe, expect, test } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { BODY_LIMITS } from '../src/requests/request-bodies.ts';
import { cookieOf, decodeHtml, openDashboard, scriptTokenOf } from './open-dashboard.ts';
import { openTestShop } from './open-test-shop.ts';
import {
  askAfter,
  beginUpload,
  filesOf,
  metadata,
  openVersion,
  sendPiece,
  type TestVersion,
  tusHeaders,
  versionPath,
} from './open-upload.ts';
import { dial, listen } from './over-the-wire.ts';

const HURRIED = { bodyLimits: { ...BODY_LIMITS, silenceMs: 300 } };
const SMALL = { maxFileSize: 1000 };
const LIMIT = /1 kB at most \(1000 bytes\).*MAX_FILE_SIZE/;

/** A product's page for a member, and what its form of a file sends before the file and after it. */
async function openForm(...options: Parameters<typeof openDashboard>) {
  const dashboard = await openDashboard(...options);
  const version = await openVersion(dashboard);
  const member = await dashboard.signIn('member');
  const page = `/dashboard/products/${version.productId}`;
  const token = await scriptTokenOf(member, page);
  const url = `${page}/versions/${version.versionId}/files`;
  const headers = {
    cookie: cookieOf(member),
    'sec-fetch-site': 'same-origin',
    'content-type': 'multipart/form-data; boundary=x',
  };
  const before = `--x\r\nContent-Disposition: form-data; name="form-token"\r\n\r\n${token}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="felt.zip"\r\n\r\n`;
  return { it: dashboard, version, url, headers, before, after: '\r\n--x--\r\n', member, page };
}

function asLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

describe('an upload that pauses too long is aborted', () => {
  test('with 408 when it is sent whole, and nothing is stored', async () => {
    const testShop = await openTestShop(undefined, HURRIED);
    const version = await openVersion(testShop);
    const socket = await dial(await listen(testShop.app), [
      `PUT ${versionPath(version)}/files/felt.zip HTTP/1.1`,
      'Host: x',
      `X-API-Key: ${testShop.shop.ownerKey}`,
      'Content-Length: 1000',
    ]);
    socket.write('hello');
    expect(await text(socket)).toMatch(
      /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*\{"error":"Nothing came for/i,
    );
    expect(await filesOf(testShop, version)).toEqual([]);
  });

  test('with 408 when it is sent in pieces, and the received bytes stay', async () => {
    const testShop = await openTestShop(undefined, HURRIED);
    const version = await openVersion(testShop);
    const path = await beginUpload(testShop, version, 10);
    const socket = await dial(await listen(testShop.app), [
      `PATCH ${path} HTTP/1.1`,
      'Host: x',
      ...asLines(tusHeaders(testShop.shop.ownerKey)),
      'Upload-Offset: 0',
      'Content-Type: application/offset+octet-stream',
      'Content-Length: 10',
    ]);
    socket.write('hello');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{"error":"Nothing came for/);
    expect((await askAfter(testShop, path)).headers['upload-offset']).toBe('5');
    expect((await sendPiece(testShop, path, 5, Buffer.from('world'))).statusCode).toBe(204);
    expect(await filesOf(testShop, version)).toHaveLength(1);
  });

  test.each([
    ['in the middle of its file', (before: string) => `${before}hello`],
    ['before its file', (before: string) => before.slice(0, 20)],
  ])('with 408 when it is sent by the form, %s', async (_name, begin) => {
    const { it, version, url, headers, before, after } = await openForm(undefined, HURRIED);
    const socket = await dial(await listen(it.app), [
      `POST ${url} HTTP/1.1`,
      'Host: x',
      ...asLines(headers),
      `Content-Length: ${before.length + 1000 + after.length}`,
    ]);
    socket.write(begin(before));
    if (begin(before).includes('file'))
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*Nothing came for/);
    // Before its token came, nobody knows whose form it is: it is refused at once. How long its connection then stays open
    // for the rest is tested in drain-request-body.test.ts.
    else expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await filesOf(it, version)).toEqual([]);
  });

  test('but a slow one is not', async () => {
    const testShop = await openTestShop(undefined, {
      bodyLimits: { ...BODY_LIMITS, deadlineMs: 1, silenceMs: WAIT_TIMEOUT_MS },
    });
    const { orgId, product } = testShop.shop;
    // Not by the API: its bodies have no time here.
    const created = await createVersion(testShop.ports, orgId, product.id, '2.0');
    if (created.kind !== 'created') throw new Error(created.kind);
    const version = { productId: product.id, versionId: created.version.id };
    const path = `${versionPath(version)}/files/felt.zip`;
    const headers = { 'x-api-key': testShop.shop.ownerKey, 'content-length': 5 };
    const upload = httpRequest({ port: await listen(testShop.app), path, method: 'PUT', headers });
    const answered = once(upload, 'response');
    for (const byte of 'hello') {
      upload.write(byte);
      // Longer than any other body may take.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    upload.end();
    const [answer] = await answered;
    expect(answer.statusCode).toBe(201);
  });
});

describe('a file above the maximum size', () => {
  test.each([
    ['announced', { 'content-length': '1001' }],
    ['not announced', { 'transfer-encoding': 'chunked' }],
  ])(
    'is rejected with 413 when it is sent whole (%s), but not at exactly that size',
    async (_name, length) => {
      const testShop = await openTestShop(undefined, SMALL);
      const version = await openVersion(testShop);
      const path = `${versionPath(version)}/files/felt.zip`;
      const port = await listen(testShop.app);
      const headers = { 'x-api-key': testShop.shop.ownerKey, ...length };
      const upload = httpRequest({ port, path, method: 'PUT', headers });
      upload.end(Buffer.alloc(1001));
      const [answer] = await once(upload, 'response');
      expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
        413,
        { error: expect.stringMatching(LIMIT) },
      ]);
      expect(await filesOf(testShop, version)).toEqual([]);
      const small = await testShop.app.inject({
        method: 'PUT',
        url: path,
        headers: { 'x-api-key': testShop.shop.ownerKey },
        payload: Buffer.alloc(1000),
      });
      expect(small.statusCode).toBe(201);
    },
  );

  test('is rejected with 413 when it starts in pieces, with the limit in the protocol’s header', async () => {
    const testShop = await openTestShop(undefined, SMALL);
    const version = await openVersion(testShop);
    const create = (length: Readonly<Record<string, string>>) =>
      testShop.app.inject({
        method: 'POST',
        url: '/api/uploads',
        headers: {
          ...tusHeaders(testShop.shop.ownerKey),
          ...length,
          'upload-metadata': metadata({ ...version, filename: 'a' }),
        },
      });
    const refused = await create({ 'upload-length': '1001' });
    expect([refused.statusCode, refused.json()]).toEqual([413, { error: expect.stringMatching(LIMIT) }]);
    expect(refused.headers).toMatchObject({ 'tus-max-size': '1000', 'tus-resumable': '1.0.0' });
    const deferred = await create({ 'upload-defer-length': '1' });
    const path = new URL(String(deferred.headers.location), 'http://x/api/uploads').pathname;
    expect((await sendPiece(testShop, path, 0, Buffer.alloc(1001))).statusCode).toBe(413);
    const declared = { ...tusHeaders(testShop.shop.ownerKey), 'upload-length': '1001' };
    expect((await sendPiece(testShop, path, 0, Buffer.alloc(1), declared)).statusCode).toBe(413);
    expect((await create({ 'upload-length': '1000' })).statusCode).toBe(201);
  });

  test('is announced by OPTIONS to every key holder', async () => {
    const testShop = await openTestShop(undefined, SMALL);
    const ask = (headers = {}) => testShop.app.inject({ method: 'OPTIONS', url: '/api/uploads', headers });
    expect((await ask()).statusCode).toBe(401);
    const told = await ask({ 'x-api-key': testShop.shop.ownerKey });
    expect(told.statusCode).toBe(204);
    expect(told.headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-max-size': '1000',
      'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination',
    });
  });

  test('is rejected with 413 on the page of its product, which states the limit', async () => {
    const { it, version, url, headers, before, after, member, page } = await openForm(undefined, SMALL);
    expect((await member.get(page)).body).toContain('up to <span class="size">1 kB</span> each');
    const send = (bytes: number) =>
      it.app.inject({ method: 'POST', url, headers, payload: before + 'x'.repeat(bytes) + after });
    const refused = await send(1001);
    expect([refused.statusCode, decodeHtml(refused.body)]).toEqual([413, expect.stringMatching(LIMIT)]);
    expect((await send(1_000_000)).statusCode).toBe(413);
    expect(await filesOf(it, version)).toEqual([]);
    expect((await send(1000)).statusCode).toBe(303);
  });
});

describe('the open uploads of an organisation', () => {
  async function fill(awaited: Awaited<ReturnType<typeof openTestShop>>, version: TestVersion) {
    const begun = await Promise.allSettled(
      Array.from({ length: 110 }, () => beginUpload(awaited, version, 5)),
    );
    // Of several at once at the limit, all may be refused.
    const paths = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(paths.length).toBeLessThanOrEqual(100);
    while (paths.length < 100) paths.push(await beginUpload(awaited, version, 5));
    return paths;
  }

  test('are limited to 100, however many begin at once, and those of others do not count', async () => {
    const testShop = await openTestShop();
    const version = await openVersion(testShop);
    const [first = '', second = ''] = await fill(testShop, version);
    await expect(beginUpload(testShop, version, 5)).rejects.toThrow(/^429 .*100 unfinished uploads.*DELETE/);
    const headers = tusHeaders(testShop.shop.ownerKey);
    // One that becomes a file makes room, and so does one that is given up.
    expect((await sendPiece(testShop, first, 0, Buffer.from('hello'))).statusCode).toBe(204);
    await beginUpload(testShop, version, 5);
    await expect(beginUpload(testShop, version, 5)).rejects.toThrow('429');
    expect((await testShop.app.inject({ method: 'DELETE', url: second, headers })).statusCode).toBe(204);
    await beginUpload(testShop, version, 5);
  });
});
