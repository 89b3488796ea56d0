import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { bearer, openTestShop, type TestShop } from './open-test-shop.ts';
import { type DocumentedOperation, listOperations, readDocument } from './read-document.ts';
import { recordedDelivery } from './recorded-delivery.ts';
import { refuseUnstorable } from './refuse-unstorable.ts';

// Whatever is sent to the endpoints that speak JSON, the answer is never a fault of ours.

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\u2028',
    '\r\nX-Injected: 1',
    '<script>alert(1)</script>',
    '=HYPERLINK("x")',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '%00',
    '%',
    'null',
    'x'.repeat(201),
    'x'.repeat(20_000),
    'İ'.repeat(150),
    '\ufdfa'.repeat(150),
    '018f0000-0000-7000-8000-000000000000',
    '018F0000-0000-7000-8000-00000000000G',
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // UTF-16 as it comes: surrogates without their other half.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
);

const oddValue = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, [[]], [null]) },
);

const FIELDS = [
  'name',
  'slug',
  'description',
  'status',
  'activeVersionId',
  'version',
  'productId',
  'platform',
];
const fieldName = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...FIELDS) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'orgId', '') },
);

/** Mostly whole objects of the members that are known: those get further than the parser. */
function bodies(values: readonly string[]): fc.Arbitrary<string> {
  const likely = fc.constantFrom<unknown>(
    'Felt',
    'draft',
    'published',
    '2.0',
    null,
    'storefront-a',
    ...values,
  );
  const member = fc.tuple(fieldName, fc.oneof(oddValue, likely));
  const object = fc
    .array(member, { minLength: 1, maxLength: 8 })
    .map(
      (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`,
    );
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        'null',
        '[]',
        '"x"',
        '\ufeff{}',
        '{"a":1,"a":2}',
        '[['.repeat(5000),
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
  );
}

function pathParts(ids: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...ids);
  const encoded = oddText.filter((text) => text.isWellFormed()).map(encodeURIComponent);
  const raw = fc.constantFrom(
    '%',
    '%zz',
    '%E0%A4%A',
    '%C0%80',
    '%ED%A0%80',
    '..',
    '.',
    '%2e%2e',
    ';',
    ':',
    '*',
    '%2F',
  );
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 3, arbitrary: encoded },
    { weight: 1, arbitrary: raw },
  );
}

const queryPart = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('limit', 'before', 'status', 'platform', '__proto__', 'limit[]', 'x'),
      fc.oneof(
        fc.constantFrom('1', '0', '200', 'held', 'cart-a', '1e9', '99999999999999999999'),
        oddText.filter((text) => text.isWellFormed()),
      ),
    )
    .map(([name, value]) => `${name}=${encodeURIComponent(value).slice(0, 4000)}`),
  fc.constantFrom('limit', '=', '%', '%ff', 'limit=%00', '&&', 'status=%ED%A0%80'),
);

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'application/problem+json',
      'text/plain',
      'multipart/form-data',
      'nonsense',
    ),
  },
);

interface Generated {
  readonly operationId: string;
  readonly parts: readonly string[];
  readonly query: readonly string[];
  readonly body: string;
  readonly type: string;
}

function requests(
  operations: readonly DocumentedOperation[],
  ids: readonly string[],
): fc.Arbitrary<Generated> {
  return fc.record({
    operationId: fc.constantFrom(...operations.map(({ operationId }) => operationId)),
    parts: fc.array(pathParts(ids), { minLength: 3, maxLength: 3 }),
    query: fc.array(queryPart, { maxLength: 3 }),
    body: bodies(ids),
    type: contentType,
  });
}

function send(
  { app, shop }: TestShop,
  operation: DocumentedOperation,
  { parts, query, body, type }: Generated,
) {
  const left = [...parts];
  const path = operation.path.replace(/\{\w+\}/g, () => left.shift() ?? 'x');
  const url = query.length > 0 ? `${path}?${query.join('&')}` : path;
  const hasBody = operation.method !== 'GET';
  return app.inject({
    method: operation.method,
    url,
    headers: { ...bearer(shop.ownerKey), ...(hasBody ? { 'content-type': type } : {}) },
    ...(hasBody ? { payload: body } : {}),
  });
}

async function openWithRows() {
  const testShop = await openTestShop(refuseUnstorable);
  const { id } = await recordedDelivery(testShop);
  const { productId, versionId } = {
    productId: testShop.shop.product.id,
    versionId: testShop.shop.version.id,
  };
  const operations = listOperations(await readDocument(testShop.app)).filter(
    ({ path, operationId }) =>
      path.startsWith('/api/') && !path.startsWith('/api/reports/') && operationId !== 'recordPurchase',
  );
  return { it: testShop, operations, ids: [productId, versionId, id, 'PAD-1'] };
}

/** Requests that do what they ask for: chance alone might make none of a kind. */
function rightRequests({ shop }: TestShop): readonly Generated[] {
  const { id: productId } = shop.product;
  const right = (operationId: string, first: string, body: object): Generated => ({
    operationId,
    parts: [first, first, first],
    query: [],
    body: JSON.stringify(body),
    type: 'application/json',
  });
  return [
    right('createProduct', '', { name: 'Keys', slug: 'keys' }),
    right('updateProduct', productId, { description: 'Soft.' }),
    right('createVersion', productId, { version: '7.0' }),
    right('putSkuMapping', 'KEYS-1', { productId }),
  ];
}

describe('the JSON endpoints', () => {
  test('answer thousands of generated requests without a 5xx', async () => {
    const { it, operations, ids } = await openWithRows();
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(requests(operations, ids), async (generated) => {
        const operation = operations.find(({ operationId }) => operationId === generated.operationId);
        if (!operation) throw new Error(generated.operationId);
        const answer = await send(it, operation, generated);
        const at = `${operation.operationId} ${answer.statusCode}`;
        seen.set(at, (seen.get(at) ?? 0) + 1);
        expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(500);
        if (answer.statusCode >= 400) {
          expect(answer.json()).toEqual({ error: expect.stringMatching(/^.{10,}$/su) });
        }
        const outcome = operation.responses[answer.statusCode];
        // Addresses that cannot be decoded or that lead elsewhere are refused before they are any operation's.
        expect(outcome !== undefined || [404, 405, 415].includes(answer.statusCode), at).toBe(true);
        expect(({} as Record<string, unknown>).status).toBeUndefined();
      }),
      { numRuns: 4000, examples: rightRequests(it).map((request) => [request]) },
    );
    // It got everywhere: else it would have shown nothing.
    const got = [...seen.keys()];
    for (const { operationId } of operations) {
      expect(
        got.some((at) => at.startsWith(`${operationId} `)),
        operationId,
      ).toBe(true);
    }
    for (const at of ['createProduct 201', 'updateProduct 200', 'createVersion 201', 'putSkuMapping 200']) {
      expect(got).toContain(at);
    }
  });
});
