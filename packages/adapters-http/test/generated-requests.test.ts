import fc from 'fast-check';
import { expect } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { bearer, type TestShop } from './open-test-shop.ts';
import {
  asMultipart,
  asUrlencoded,
  type Encoded,
  listSales,
  post,
  rawMultipart,
  saleFields,
} from './send-form.ts';
import { test } from './test-in-shop.ts';

// For any request, the status is below 500, and any status other than 201 leaves nothing behind.

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\r\nBcc: x@y.z',
    '<b>',
    '__proto__',
    'x'.repeat(3000),
    '\uFFFD',
    '\uD800',
    '%ff%00',
  ),
);

const anyName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('customerId', 'newCustomer.name', 'newCustomer.email', 'productId'),
  },
  { weight: 6, arbitrary: fc.constantFrom('amount', 'currency', 'paymentMethod', 'sendEmail') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'newCustomer', '') },
  { weight: 1, arbitrary: anyText },
);

const likelyValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['customerId', ['new', 'NEW', '00000000-0000-7000-8000-000000000001']],
  ['newCustomer.email', ['a@b.c', 'A@B.C', 'a@b.c\r\nBcc: x@y.z', '"a b"@c.d']],
  [
    'amount',
    ['49.00', '49', '0', '-1', '1e3', '49,00', '49.001', '9'.repeat(15), '9'.repeat(400), 'Infinity'],
  ],
  ['currency', ['EUR', 'eur', 'JPY', 'KWD', 'XXX', '€']],
  ['sendEmail', ['true', 'false', '', 'yes']],
]);

const field = anyName.chain((name) => {
  const likely = likelyValues.get(name);
  const value = likely ? fc.oneof(fc.constantFrom(...likely), anyText) : anyText;
  return value.map((text) => [name, text] as const);
});

function formOf(testShop: TestShop) {
  const whole = saleFields(testShop);
  // A form that would do, with some of its fields left out, given another value or given twice, and others added.
  const varied = fc.tuple(
    fc.subarray([...whole], { minLength: whole.length - 2 }),
    fc.array(field, { maxLength: 3 }),
    // Few enough addresses that some come again.
    fc.nat({ max: 200 }),
  );
  const unique = varied.map(([kept, added, number]) =>
    [...kept, ...added].map(([name, value]) =>
      name === 'newCustomer.email' && value === 'ana@example.com'
        ? ([name, `ana${number}@example.com`] as const)
        : ([name, value] as const),
    ),
  );
  const replaced = fc
    .tuple(unique, field)
    .map(([fields, [name, value]]) =>
      fields.map((given) => (given[0] === name ? ([name, value] as const) : given)),
    );
  return fc.oneof(unique, replaced, fc.array(field, { maxLength: 12 }));
}

const anyKey = fc.option(
  fc.oneof(fc.constantFrom('order-1', 'order-2', '', 'a b', 'x'.repeat(256)), fc.string({ maxLength: 8 })),
  { nil: undefined },
);

async function throwForms(testShop: TestShop, forms: fc.Arbitrary<Encoded>, numRuns: number) {
  const ids = new Set<string>();
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(forms, anyKey, async ({ headers, payload }, key) => {
      const keyed = key === undefined ? headers : { ...headers, 'idempotency-key': key };
      const answer = await post(testShop, { headers: keyed, payload });
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      expect([201, 400, 404, 409, 413, 415, 422]).toContain(answer.statusCode);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      if (answer.statusCode === 201) ids.add(/data-purchase-id="([^"]+)"/.exec(answer.body)?.[1] ?? '');
      else expect(answer.body).toMatch(/^<div role="alert">\n<p( data-field="[^"<>]*")?>[^<]/);
    }),
    { numRuns },
  );
  // Only what was answered with 201 is there, and all of it is.
  expect(new Set((await listSales(testShop)).map(({ id }) => id))).toEqual(ids);
  return statuses;
}

test('POST /api/purchases, with thousands of forms', async ({ testShop }) => {
  const boundary = fc.constantFrom('sale-form', 'b', '--', '----WebKitFormBoundaryAbC123');
  const forms = fc
    .tuple(formOf(testShop), fc.boolean(), boundary)
    .map(([fields, multipart, mark]) => (multipart ? asMultipart(fields, mark) : asUrlencoded(fields)));
  const statuses = await throwForms(testShop, forms, 2000);
  // Every kind of answer came up: else it would prove little.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([201, 400, 404, 409, 422]));
});

test('POST /api/purchases, with thousands of bodies that are damaged', async ({ testShop }) => {
  const whole = Buffer.from(String(asMultipart(saleFields(testShop)).payload));
  const place = fc.nat(whole.length);
  const scraps = fc.oneof(
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        '\r\n',
        '\r\n\r\n',
        '--sale-form',
        '\r\n--sale-form\r\n',
        '\r\n--sale-form--',
        '; filename="x"',
        "; name*=utf-8''%ff",
        'content-type: application/json\r\n',
        'content-type: text/plain; charset=utf-16\r\n',
        'content-type: ;;\r\n',
        'content-disposition: ;\r\n',
        'content-transfer-encoding: base64\r\n',
        '"',
        '\\',
        ';',
        '\0',
      )
      .map((text) => Buffer.from(text)),
  );
  const damage = fc.tuple(place, place, scraps, fc.boolean());
  const bodies = fc.array(damage, { minLength: 1, maxLength: 4 }).map((damages) =>
    damages.reduce((body, [from, length, scrap, cut]) => {
      const at = Math.min(from, body.length);
      return Buffer.concat([body.subarray(0, at), scrap, body.subarray(cut ? at + (length % 40) : at)]);
    }, whole),
  );
  const types = fc.constantFrom(
    'multipart/form-data; boundary=sale-form',
    'multipart/form-data; boundary="sale-form"',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'multipart/form-data;;;boundary',
    "multipart/form-data; boundary*=utf-8''sale-form",
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=utf-16',
    'application/json',
  );
  const usual = fc.constant('multipart/form-data; boundary=sale-form');
  const forms = fc
    .tuple(bodies, fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: types }))
    .map(([payload, type]) => ({ ...rawMultipart(payload), headers: { 'content-type': type } }));
  await throwForms(testShop, forms, 2000);
});

test('GET /api/reports/downloads, with thousands of queries', async ({ testShop }) => {
  const day = fc.oneof(
    fc.constantFrom(
      '2026-03-01',
      '2026-02-30',
      '',
      '0000-01-01',
      '9999-12-31',
      '+275760-09-13',
      '2026-03-01\0',
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    anyText,
  );
  const name = fc.oneof(fc.constantFrom('from', 'to', 'From', 'from[]', '__proto__', 'constructor'), anyText);
  const query = fc.oneof(
    fc.array(fc.tuple(name, day), { maxLength: 4 }).map((pairs) => new URLSearchParams(pairs).toString()),
    fc.webQueryParameters(),
    fc
      .array(fc.constantFrom('from', 'to', '=', '&', '%', '%ff', '%00', '[', ']', '2026-03-01', '+'), {
        maxLength: 9,
      })
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(query, async (search) => {
      const url = `/api/reports/downloads?${search}`;
      const answer = await testShop.app.inject({ url, headers: bearer(testShop.shop.ownerKey) });
      expect([200, 400]).toContain(answer.statusCode);
      const type = answer.statusCode === 200 ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8';
      expect(answer.headers['content-type']).toBe(type);
    }),
    { numRuns: 3000 },
  );
});
