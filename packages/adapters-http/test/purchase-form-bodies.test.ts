import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, vi } from 'vitest';
import { WAIT_TIMEOUT_MS } from '../../../test/wait-timeout.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { dial, listen } from './over-the-wire.ts';
import {
  asMultipart,
  asUrlencoded,
  type Encoded,
  encodings,
  listSales,
  namedFields,
  post,
  rawMultipart,
  saleFields,
} from './send-form.ts';
import { test } from './test-in-shop.ts';

async function expectRefused(
  testShop: TestShop,
  form: Parameters<typeof post>[1],
  status: number,
  about: RegExp,
) {
  const answer = await post(testShop, form);
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.body).toMatch(/^<div role="alert">/);
  expect(answer.body).toMatch(about);
  expect(await listSales(testShop)).toEqual([]);
}

describe('status 415 names the accepted types', () => {
  test.each([
    ['JSON', 'application/json', '{"customerId":"new"}'],
    ['an empty JSON body', 'application/json', ''],
    ['text', 'text/plain', 'customerId=new'],
    ['another kind of multipart', 'multipart/mixed; boundary=x', '--x--'],
    ['an invalid type', 'form', 'customerId=new'],
    ['no type at all', '', 'customerId=new'],
  ])('for %s', async (_name, type, payload) => {
    const testShop = await openTestShop();
    const form = { headers: { 'content-type': type }, payload };
    await expectRefused(testShop, form, 415, /x-www-form-urlencoded.*multipart\/form-data/);
  });

  test('by the type’s name alone, in any case and with any parameter', async ({ testShop }) => {
    const plain = asUrlencoded(saleFields(testShop));
    const type = 'Application/X-WWW-Form-Urlencoded; charset=UTF-8';
    expect((await post(testShop, { ...plain, headers: { 'content-type': type } })).statusCode).toBe(201);
  });
});

test.each(encodings)('status 415 says that a form is compressed, %s', async (_name, encode) => {
  const testShop = await openTestShop();
  const { headers, payload } = encode(saleFields(testShop));
  const form = { headers: { ...headers, 'content-encoding': 'gzip' }, payload: gzipSync(payload) };
  await expectRefused(testShop, form, 415, /without “Content-Encoding”/);
});

describe('status 413 is the answer', () => {
  test.each(encodings)('for a form of 10 MB and for one of more than 64 KiB, %s', async (_name, encode) => {
    const testShop = await openTestShop();
    for (const length of [10_000_000, 65 * 1024]) {
      const form = encode(saleFields(testShop, { 'newCustomer.name': 'x'.repeat(length) }));
      await expectRefused(testShop, form, 413, /at most 64 KiB/);
    }
  });

  test.each(encodings)('for more than 100 fields, %s', async (_name, encode) => {
    const testShop = await openTestShop();
    const more = Array.from({ length: 100 }, (_, at) => [`field${at}`, ''] as const);
    await expectRefused(testShop, encode([...saleFields(testShop), ...more]), 413, /at most 100/);
  });
});

describe('multipart', () => {
  const field = (name: string, value: string, more = '') =>
    `--sale-form\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const end = '--sale-form--\r\n';
  const whole = (testShop: TestShop) => String(asMultipart(saleFields(testShop)).payload);

  const broken: readonly [string, (testShop: TestShop) => Encoded][] = [
    [
      'no boundary',
      (opened) => ({ headers: { 'content-type': 'multipart/form-data' }, payload: whole(opened) }),
    ],
    ['another boundary', (opened) => rawMultipart(whole(opened), 'other')],
    ['a boundary too long', (opened) => rawMultipart(whole(opened), 'x'.repeat(300))],
    ['no last boundary', (opened) => rawMultipart(whole(opened).slice(0, -end.length))],
    ['an end within a part', (opened) => rawMultipart(whole(opened).slice(0, -40))],
    [
      'an end within the headers of a part',
      (opened) => rawMultipart(`${whole(opened).slice(0, -end.length)}--sale-form\r\ncontent-dis`),
    ],
    ['no parts but words', () => rawMultipart('customerId=new')],
    [
      'JSON that is broken',
      () => rawMultipart(`${field('amount', '{', '\r\ncontent-type: application/json')}${end}`),
    ],
    ['__proto__', (opened) => rawMultipart(`${field('__proto__', 'x')}${whole(opened)}`)],
  ];

  test.each(broken)('answers 400 for %s', async (_name, make) => {
    const testShop = await openTestShop();
    await expectRefused(testShop, make(testShop), 400, /cannot be read/);
  });

  test.each([
    ['a file', '; filename="sale.csv"'],
    ['a file without a name', '; filename=""'],
    ['bytes', '\r\ncontent-type: application/octet-stream'],
    ['JSON', '\r\ncontent-type: application/json'],
  ])('answers 400 for %s in place of a field, by its name', async (_name, more) => {
    const testShop = await openTestShop();
    const form = rawMultipart(`${field('amount', '49', more)}${whole(testShop)}`);
    await expectRefused(testShop, form, 400, /“amount” is a file or of another type/);
    expect(namedFields((await post(testShop, form)).body)).toEqual(['amount']);
  });

  test('escapes the name of a file', async ({ testShop }) => {
    const form = rawMultipart(`${field('<script>', 'x', '; filename="x"')}${end}`);
    expect((await post(testShop, form)).body).toContain('data-field="&#60;script&#62;"');
  });

  test('reports missing fields for a form without parts', async ({ testShop }) => {
    for (const payload of ['', end]) {
      const answer = await post(testShop, rawMultipart(payload));
      expect(answer.statusCode).toBe(400);
      expect(namedFields(answer.body)).toContain('customerId');
    }
  });

  test('ignores bytes around the parts, and parts without a name', async ({ testShop }) => {
    const odd = `--sale-form\r\n\r\nno headers\r\n--sale-form\r\ncontent-disposition: form-data\r\n\r\nno name\r\n`;
    const form = rawMultipart(`before\r\n${odd}${whole(testShop)}after`);
    expect((await post(testShop, form)).statusCode).toBe(201);
  });

  test('accepts a charset in a part', async ({ testShop }) => {
    const name = Buffer.from(
      field('newCustomer.name', 'Zoë', '\r\ncontent-type: text/plain; charset=iso-8859-1'),
      'latin1',
    );
    const rest = Buffer.from(
      String(asMultipart(saleFields(testShop, { 'newCustomer.name': undefined })).payload),
    );
    expect((await post(testShop, rawMultipart(Buffer.concat([name, rest])))).statusCode).toBe(201);
    expect(await listSales(testShop)).toMatchObject([{ customerName: 'Zoë' }]);
  });
});

// What only a real connection can show: lengths that are not announced, senders that go away or come again.
describe('a form over a real connection', () => {
  async function open() {
    const testShop = await openTestShop();
    return { it: testShop, port: await listen(testShop.app) };
  }

  test.each(encodings)('is rejected with 413 for an unannounced length, %s', async (_name, encode) => {
    const { it, port } = await open();
    const { headers, payload } = encode(saleFields(it, { 'newCustomer.name': 'x'.repeat(10_000_000) }));
    const sending = httpRequest({
      port,
      path: '/api/purchases',
      method: 'POST',
      headers: { ...headers, ...bearer(it.shop.ownerKey), 'transfer-encoding': 'chunked' },
    });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response');
    sending.write(payload.slice(0, 100_000));
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    expect(await text(answer)).toMatch(/at most 64 KiB/);
    sending.destroy();
  });

  test('is rejected with 413 for bytes after the last part, however many', async () => {
    const { it, port } = await open();
    const { headers, payload } = asMultipart(saleFields(it));
    const sending = httpRequest({
      port,
      path: '/api/purchases',
      method: 'POST',
      headers: { ...headers, ...bearer(it.shop.ownerKey), 'transfer-encoding': 'chunked' },
    });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response');
    sending.write(`x${'\r\n'.repeat(40_000)}${payload}`);
    const [answer] = await answered;
    expect(answer.statusCode).toBe(413);
    expect(await listSales(it)).toEqual([]);
    sending.destroy();
  });

  test.each(encodings)(
    'a form that breaks off records nothing and leaves nothing waiting, %s',
    async (_name, encode) => {
      const { it, port } = await open();
      const { headers, payload } = encode(saleFields(it));
      const socket = await dial(port, [
        'POST /api/purchases HTTP/1.1',
        'Host: x',
        `X-API-Key: ${it.shop.ownerKey}`,
        `Content-Type: ${headers['content-type']}`,
        `Content-Length: ${payload.length}`,
      ]);
      socket.write(payload.slice(0, -5));
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
      await vi.waitUntil(() => it.log.requests().length > 0, WAIT_TIMEOUT_MS);
      expect(it.log.requests()[0]).toMatchObject({ route: '/api/purchases', brokenOff: true });
      expect(it.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
      expect(await listSales(it)).toEqual([]);
    },
  );

  test('can follow another on the same connection, rejected or not', async () => {
    const { it, port } = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const file = rawMultipart(
      `--sale-form\r\ncontent-disposition: form-data; name="x"; filename="x"\r\n\r\n${'x'.repeat(50_000)}\r\n--sale-form--\r\n`,
    );
    const forms = [
      asMultipart(saleFields(it)),
      file,
      rawMultipart('broken'),
      asUrlencoded([]),
      asMultipart([]),
    ];
    const statuses: number[] = [];
    for (const { headers, payload } of [...forms, ...forms]) {
      const sending = httpRequest({
        port,
        agent,
        path: '/api/purchases',
        method: 'POST',
        headers: { ...headers, ...bearer(it.shop.ownerKey) },
      });
      sending.end(payload);
      const [answer] = await once(sending, 'response');
      await text(answer);
      statuses.push(answer.statusCode);
    }
    agent.destroy();
    expect(statuses).toEqual([201, 400, 400, 400, 400, 422, 400, 400, 400, 400]);
  });
});
