import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createUser, DomainError, type DownloadSessionRow } from '@handover/domain';
import fc from 'fast-check';
import { parseString } from 'fast-csv';
import { describe, expect } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { writeDownloadsCsv } from '../src/api/downloads-csv.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { dial, listen, untilSteady } from './over-the-wire.ts';
import { sellPads } from './sell-pads.ts';
import { test } from './test-in-shop.ts';

const HEADER =
  'sessionId,startedAt,lastByteAt,bytes,completedAt,purchaseId,orderId,productName,version,customerName,customerEmail,client,filesBegun,filesWhole,orderNumber';
const TEXT = 'text/plain; charset=utf-8';

function get({ app, shop }: TestShop, query = '', key: string | null = shop.ownerKey) {
  return app.inject({ url: `/api/reports/downloads${query}`, headers: key === null ? {} : bearer(key) });
}

function makeRow(changes: Partial<DownloadSessionRow> = {}): DownloadSessionRow {
  return {
    id: 'session-1',
    orgId: 'org-1',
    startedAt: new Date('2026-03-02T09:00:00Z'),
    lastByteAt: new Date('2026-03-02T09:01:00Z'),
    bytes: 5,
    completedAt: null,
    purchaseId: 'purchase-1',
    orderId: null,
    orderNumber: null,
    isTest: false,
    productId: 'product-1',
    productName: 'Pads',
    productSlug: 'pads',
    version: null,
    customerName: 'Ana Lima',
    customerEmail: 'ana@example.com',
    movedTo: null,
    client: 'browser',
    filesBegun: 1,
    filesWhole: 0,
    fileNames: ['pads.zip'],
    sent: 5,
    size: 10,
    linkId: 'link-1',
    linkExpiresAt: new Date('2026-03-04T09:00:00Z'),
    linkUsedAt: null,
    linkRevokedAt: null,
    ...changes,
  };
}

function openWith(list: TestShop['ports']['sessions']['list']) {
  return openTestShop(({ sessions }) => ({ sessions: { ...sessions, list } }));
}

async function parse(csv: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const rows: Record<string, string>[] = [];
  const parsing = parseString<Record<string, string>, Record<string, string>>(csv, { headers: true });
  parsing.on('data', (row) => rows.push(row));
  await once(parsing, 'end');
  return rows;
}

describe('GET /api/reports/downloads', () => {
  test('is CSV with a row per session, and a file name with its period', async () => {
    const sale = await sellPads();
    await sale.app.inject(`/d/${sale.token}/files/1.0/pads.zip`);
    const answer = await get(sale);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="downloads_2026-02-01_2026-03-02.csv"',
      'cache-control': 'no-store',
    });
    const [header, row, end] = answer.body.split('\r\n');
    expect(header).toBe(HEADER);
    expect(row).toMatch(
      /^[\w-]+,2026-03-02T09:00:00\.000Z,2026-03-02T09:00:00\.000Z,5,,[\w-]+,5001,Pads,1\.0,Ana Lima,ana@example\.com,companion,1,1,#1001$/,
    );
    expect(end).toBe('');
  });

  test('has only its header when there was no download', async () => {
    expect((await get(await openTestShop())).body.trimEnd()).toBe(HEADER);
  });

  test.each([
    ['', '2026-02-01', '2026-03-03'],
    ['?from=2026-03-01', '2026-03-01', '2026-03-03'],
    ['?to=2026-02-28', '2026-01-30', '2026-03-01'],
    ['?from=2026-01-05&to=2026-01-05', '2026-01-05', '2026-01-06'],
    ['?from=2024-02-29&to=2024-02-29&page=2', '2024-02-29', '2024-03-01'],
  ])('with %j covers the days in UTC, the last one whole', async (query, from, until) => {
    let asked: { from: Date; until: Date } | null = null;
    const opened = await openWith((_orgId, period) => {
      asked = period;
      return Readable.from([]);
    });
    expect((await get(opened, query)).statusCode).toBe(200);
    expect(asked).toMatchObject({ from: new Date(from), until: new Date(until) });
  });

  test.each([
    ['?from=2026-02-30', 'from'],
    ['?from=01.03.2026', 'from'],
    ['?from=2026-3-1', 'from'],
    ['?to=', 'to'],
    ['?to=today', 'to'],
    ['?to=2026-13-01', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'from'],
    ['?from=2026-03-01&from=2026-03-02', 'from'],
    ['?to=%00', 'to'],
    ['?to=%ff', 'to'],
    [`?to=${'9'.repeat(5000)}`, 'to'],
    ['?from=2026-03-01T00:00:00Z', 'from'],
  ])('answers 400 in plain text for %.40s, naming the field', async (query, field) => {
    const answer = await get(await openTestShop(), query);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe(TEXT);
    expect(answer.body).toMatch(new RegExp(`^“${field}” must .*\\.\\n$`));
  });

  test('answers 401 and 403 in plain text, before 400', async ({ testShop }) => {
    for (const key of [null, 'key-ffff']) {
      const answer = await get(testShop, '?from=x', key);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers).toMatchObject({ 'content-type': TEXT, 'www-authenticate': 'Bearer' });
      expect(answer.body).toMatch(/^The API key/);
    }
    for (const membership of [null, { orgId: testShop.shop.orgId, role: 'member' as const }]) {
      const email = `${testShop.ports.ids.next()}@example.com`;
      const user = await createUser(testShop.ports, { email, name: null, membership });
      if (user.kind !== 'created') throw new Error(user.kind);
      const answer = await get(testShop, '?from=x', user.apiKey);
      expect(answer.statusCode).toBe(403);
      expect(answer.headers['content-type']).toBe(TEXT);
      expect(answer.body).toMatch(membership ? /admin is required/ : /no organisation/);
    }
  });

  test('answers 404 in plain text for every other path, method and unreadable address below /api/reports/', async () => {
    const testShop = await openTestShop();
    const headers = { ...bearer(testShop.shop.ownerKey), 'content-type': 'application/json' };
    const requests = [
      { url: '/api/reports/sales' },
      { url: '/api/reports/' },
      { url: '/api/reports' },
      { url: '/api/reports/%ff' },
      { url: '/api/reports/downloads/', method: 'GET' },
    ] as const;
    for (const request of requests) {
      const answer = await testShop.app.inject({ headers, ...request });
      expect(answer.statusCode, request.url).toBe(404);
      expect(answer.headers['content-type'], request.url).toBe(TEXT);
      expect(answer.body).toMatch(/^There is nothing here/);
    }
    for (const request of [{ method: 'POST', payload: '{' }, { method: 'DELETE' }] as const) {
      const answer = await testShop.app.inject({ url: '/api/reports/downloads', headers, ...request });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers).toMatchObject({ 'content-type': TEXT, allow: 'GET, HEAD' });
      expect(answer.body).toBe(`This address takes GET or HEAD, not ${request.method}.\n`);
    }
    const json = await testShop.app.inject({ url: '/api/other', headers });
    expect(json.json()).toEqual({ error: expect.any(String) });
  });

  test('answers 500 and 503 in plain text when the first row fails', async () => {
    const failing = (error: Error) =>
      openWith(() => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
      }));
    const fault = await get(await failing(new Error('a secret')));
    expect(fault.statusCode).toBe(500);
    expect(fault.headers['content-type']).toBe(TEXT);
    expect(fault.headers['content-disposition']).toBeUndefined();
    expect(fault.body).toMatch(/Reference: [0-9a-f]{16}\n$/);
    const away = await get(await failing(new DomainError('store-unavailable', 'gone')));
    expect(away.statusCode).toBe(503);
    expect(away.headers).toMatchObject({ 'content-type': TEXT, 'retry-after': '5' });
  });
});

describe('a cell', () => {
  async function cellsOf(changes: Partial<DownloadSessionRow>) {
    const opened = await openWith(async function* () {
      yield makeRow(changes);
    });
    return parse((await get(opened)).body);
  }

  test.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r\n=1', "'\r\n'=1"],
    ['a;=1', "a;'=1"],
    ['a; ＝1', "a;' ＝1"],
    ['a\n-1', "a\n'-1"],
    ['a; b=1', 'a; b=1'],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['\tx', "'\tx"],
    ['\0\tx', "'\tx"],
    ['\0=1', "'=1"],
    ['a=1', 'a=1'],
    ['"=1",2', '"=1",2'],
    ['Ana "A", Lima', 'Ana "A", Lima'],
  ])('with %j is read back as %j', async (name, cell) => {
    const [row] = await cellsOf({ customerName: name });
    expect(row?.customerName).toBe(cell);
  });

  test('never begins like a formula, whatever its content', async () => {
    const signs = fc.constantFrom(...'=+-@\t\r\n ",\';＝éa1');
    const hostile = fc.oneof(
      fc.string({ unit: signs, maxLength: 8 }),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    );
    const rows = fc.array(fc.tuple(hostile, hostile, hostile), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, async (texts) => {
        const given = texts.map(([customerName, productName, orderId]) =>
          makeRow({ customerName, productName, orderId }),
        );
        const parsed = await parse(await text(writeDownloadsCsv(Readable.from(given))));
        expect(parsed).toHaveLength(texts.length);
        parsed.forEach(({ customerName, productName, orderId }, at) => {
          [customerName, productName, orderId].forEach((cell = '', column) => {
            expect(cell).not.toMatch(
              /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]|[;\r\n][\s\p{C}]*[=+\-@＝＋－＠]/u,
            );
            // NUL, which no spreadsheet takes, is left out.
            const plain = (texts[at]?.[column] ?? '').toWellFormed().replaceAll('\0', '');
            expect(cell.replaceAll("'", '')).toBe(plain.replaceAll("'", ''));
          });
        });
      }),
      { numRuns: 500 },
    );
  });
});

// What only a real connection can show.
describe('a long report', () => {
  async function openLong(rows: number, failAt = Number.POSITIVE_INFINITY) {
    let read = 0;
    const closed = Promise.withResolvers<void>();
    const opened = await openWith(async function* () {
      try {
        for (; read < rows; read += 1) {
          if (read === failAt) throw new Error('the database went away');
          yield makeRow({ id: `session-${read}` });
        }
      } finally {
        closed.resolve();
      }
    });
    const url = `http://127.0.0.1:${await listen(opened.app)}/api/reports/downloads`;
    return { it: opened, url, closed, count: () => read };
  }

  test('arrives completely', async () => {
    const { it, url } = await openLong(50_000);
    const answer = await fetch(url, { headers: bearer(it.shop.ownerKey) });
    let lines = 0;
    for await (const chunk of answer.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
    expect(lines).toBe(50_001);
  });

  test('breaks the connection when a later row fails', async () => {
    const { it, url } = await openLong(5000, 4000);
    const answer = await fetch(url, { headers: bearer(it.shop.ownerKey) });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  test('is read no faster than its client reads, and no further once the client is gone', async () => {
    const { it, closed, count } = await openLong(10_000_000);
    const { port } = it.app.server.address() as AddressInfo;
    const lines = ['GET /api/reports/downloads HTTP/1.1', 'Host: x', `X-API-Key: ${it.shop.ownerKey}`];
    const socket = await dial(port, lines);
    await once(socket, 'readable');
    await untilSteady(count);
    expect(count()).toBeLessThan(1_000_000);
    socket.destroy();
    await closed.promise;
  });
});
