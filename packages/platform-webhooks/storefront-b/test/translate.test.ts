import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleLegacyOrder, sampleOrder, signedSample } from '../src/testing.ts';
import { entryOf, orderIn, orderOf, receiveBody, receiveSigned, SECRET } from './receive-body.ts';

const JO = { first_name: 'Jo', last_name: 'Reed', company: 'Reed Ltd', email: 'jo@example.com' };

describe('an order of storefront-b', () => {
  it('can be as small as this', () => {
    const body = encode(
      '{"id":727,"number":"727","status":"processing","currency":"USD","total":"29.00",' +
        '"billing":{"first_name":"Jo","last_name":"Reed","email":"jo@example.com"},' +
        '"line_items":[{"id":315,"sku":"PAD-1","product_id":93,"quantity":1,"total":"29.00","price":29}]}',
    );
    const candidates = [
      { kind: 'sku', value: 'PAD-1' },
      { kind: 'vendor-id', value: '93' },
    ];
    expect(entryOf(body)).toEqual({
      kind: 'order',
      order: {
        orderId: '727',
        orderNumber: '727',
        customer: { email: 'jo@example.com', name: 'Jo Reed' },
        currency: 'USD',
        total: '29.00',
        lines: [{ candidates, quantity: 1, amount: '29.00', title: null }],
        test: false,
        notes: [],
      },
    });
  });

  it('keeps each line with its own total, before tax', () => {
    const order = orderOf({ total: '41.20', total_tax: '5.20', number: '2026-0963' }, [
      { product_id: '52', variation_id: '60', subtotal: '30.00', total: '27.00', price: 27 },
      { product_id: '53', variation_id: 0, sku: '', name: 'Sticker', total: '9.00', price: 9 },
    ]);
    expect(order).toMatchObject({ orderNumber: '2026-0963', total: '41.20', notes: [] });
    expect(order.lines.map(({ amount, title }) => [title, amount])).toEqual([
      ['Pads', '27.00'],
      ['Sticker', '9.00'],
    ]);
    expect(order.lines[1]?.candidates).toEqual([{ kind: 'vendor-id', value: '53' }]);
  });

  it('has all of its lines where a plugin of the shop removed one from the list', () => {
    const line_items = { 1: { sku: 'PAD-1', total: '27.00' }, 3: { sku: 'KEYS-2', total: '9.00' } };
    expect(orderOf({ line_items }).lines.map(({ amount }) => amount)).toEqual(['27.00', '9.00']);
  });

  it('decodes the shop’s escapes', () => {
    const order = orderOf({ billing: { ...JO, first_name: 'Zoë 🎹' } }, [
      { sku: 'A/B', name: 'Café / Pads' },
    ]);
    expect(order.customer.name).toBe('Zoë 🎹 Reed');
    expect(order.lines[0]).toMatchObject({ candidates: [{ value: 'A/B' }, {}, {}], title: 'Café / Pads' });
  });

  it.each([
    ['its number', { number: '2026-0963/EU' }, '2026-0963/EU'],
    ['its id where the number is missing', { number: null }, '727'],
    ['its id where the number is blank', { number: ' ' }, '727'],
  ])('shows %s to people', (_case, changes, expected) => {
    expect(orderOf(changes).orderNumber).toBe(expected);
  });

  it.each([
    ['the billing address, as typed', { billing: { ...JO, email: ' Jo@Example.com ' } }, 'Jo@Example.com'],
    ['nowhere, where it is empty', { billing: { ...JO, email: '' } }, null],
    ['nowhere, where there is no billing address', { billing: null }, null],
    ['nowhere else', { billing: undefined, shipping: { email: 'x@example.com' } }, null],
  ])('takes the e-mail address from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.email).toBe(expected);
  });

  it.each([
    ['first and last name', { billing: JO }, 'Jo Reed'],
    ['one of them', { billing: { ...JO, first_name: ' ' } }, 'Reed'],
    ['the company', { billing: { ...JO, first_name: '', last_name: '' } }, 'Reed Ltd'],
    ['nowhere', { billing: { email: 'jo@example.com' } }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.name).toBe(expected);
  });

  it('is never a test: no member says so', () => {
    expect(orderOf({ test: true, transaction_id: '' }).test).toBe(false);
  });

  it('without lines is still an order: the log shows what is missing', () => {
    expect(orderOf({ line_items: [] }).lines).toEqual([]);
    expect(orderOf({ line_items: [null, 'x', 7] }).lines).toEqual([]);
  });

  it('with two lines of one SKU keeps both', () => {
    expect(orderOf({}, [{}, {}]).lines).toHaveLength(2);
  });

  it('leaves out lines with a quantity of zero', () => {
    const lines = [{ sku: 'NONE', quantity: 0 }, { sku: 'KEPT' }];
    expect(orderOf({}, lines).lines.map(({ candidates }) => candidates[0]?.value)).toEqual(['KEPT']);
  });
});

describe('a line of storefront-b', () => {
  it.each([
    ['nothing but a name', { sku: '', variation_id: 0, product_id: 0 }, []],
    ['no variation', { sku: '', variation_id: 0, product_id: 93 }, ['vendor-id 93']],
    ['a variation', { sku: '', variation_id: 94, product_id: 93 }, ['vendor-id 94', 'vendor-id 93']],
    ['a deleted product', { sku: null, variation_id: 0, product_id: 93 }, ['vendor-id 93']],
    ['no SKU at all', { sku: undefined, variation_id: 0, product_id: 93 }, ['vendor-id 93']],
    ['a padded SKU', { sku: ' PAD-1 ', variation_id: 0, product_id: 0 }, ['sku PAD-1']],
    ['a SKU that is a number', { sku: 93, variation_id: 0, product_id: 0 }, ['sku 93']],
    [
      'an id beyond 2^53',
      { sku: '', variation_id: 0, product_id: '9007199254741093' },
      ['vendor-id 9007199254741093'],
    ],
  ])('with %s offers the other ones', (_case, line, expected) => {
    const [translated] = orderOf({}, [line]).lines;
    expect(translated?.candidates.map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });

  it.each([
    ['total, not its price', { total: '58.50', price: 19.5, quantity: 3 }, '58.50', 3],
    ['total after a discount of all', { total: '0.00', subtotal: '49.00', price: 0 }, '0.00', 1],
    ['total as a JSON number', { total: 49.9 }, '49.9', 1],
    ['total with the digits of the shop', { total: '49.004132' }, '49.004132', 1],
  ])('costs its %s', (_case, line, amount, quantity) => {
    expect(orderOf({}, [line]).lines[0]).toMatchObject({ amount, quantity });
  });

  it('without a readable quantity counts once, with a note', () => {
    const order = orderOf({}, [{ quantity: 'many' }]);
    expect(order.lines[0]?.quantity).toBe(1);
    expect(order.notes).toEqual(['Line 1: no readable quantity; taken as 1.']);
  });
});

describe('unusual amounts of storefront-b never stop an order, but are noted', () => {
  it.each<[string, SampleMembers, SampleMembers, readonly string[]]>([
    ['a missing total', { total: null }, {}, ['The order names no readable total.']],
    ['an unknown currency', { currency: 'ZZZ' }, {}, ['ZZZ is not the code of a currency in circulation.']],
    [
      'decimals that the currency has not',
      { currency: 'JPY', total: '3000.00' },
      { total: '3000' },
      ['The total 3000.00 has more decimals than JPY has.'],
    ],
    ['a line without a total', {}, { total: undefined }, ['Line 1: no readable total.']],
    [
      'a localised total',
      {},
      { total: '49,00' },
      ['Line 1: the amount "49,00" is not a decimal number, and was left out.'],
    ],
  ])('%s', (_case, changes, line, notes) => {
    expect(orderOf(changes, [line]).notes).toEqual(notes);
  });
});

describe('a legacy payload of storefront-b', () => {
  it('is the same order, with a note on how to update the payload version', () => {
    expect(orderIn(sampleLegacyOrder())).toEqual({
      ...orderOf({}, [{ variation_id: 0, product_id: '94' }]),
      notes: ['The shop sends its legacy payload: choose "WP REST API Integration v3" for the webhook.'],
    });
  });

  it('does not affect a current order', () => {
    const order = orderOf({ order: { id: 1, line_items: [] }, order_number: 'X', billing_address: JO });
    expect(order).toEqual(orderOf({}));
  });
});

describe('a body that storefront-b never sends', () => {
  it.each([
    ['<?xml version="1.0"?><order/>', "The body is XML, not JSON: choose JSON as the webhook's format."],
    ['webhook_id=12', 'The body is not valid JSON.'],
    ['', 'The body is empty.'],
    ['[]', 'The body is not a JSON object.'],
    ['"paid"', 'The body is not a JSON object.'],
    [`{"id":"${'9'.repeat(201)}","line_items":[]}`, "The order's id is longer than 200 characters."],
  ])('%s is unreadable', (text, problem) => {
    expect(receiveBody(encode(text))).toEqual({ kind: 'unreadable', connectionId: 'main', problem });
  });

  it('never crashes the platform, whatever JSON the members of an order are', () => {
    const members = fc.dictionary(
      fc.constantFrom('id', 'line_items', 'billing', 'total', 'currency', 'status', 'order', '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const line = fc.dictionary(
      fc.constantFrom('sku', 'quantity', 'total', 'product_id', 'variation_id'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(
        members,
        fc.array(line),
        fc.constantFrom('order.updated', null),
        (changes, lines, topic) => {
          expect(receiveBody(sampleOrder(changes, lines), topic)).not.toHaveProperty('cause');
        },
      ),
    );
  });
});

describe('a sample of storefront-b', () => {
  const SALE = { orderId: '9007199254741093', email: 'b@example.com', sku: 'KEYS-2' };

  it('is a genuine delivery of the given sale', () => {
    const order = {
      orderId: '9007199254741093',
      customer: { email: 'b@example.com' },
      lines: [{ candidates: [{ value: 'KEYS-2' }, {}, {}] }],
    };
    expect(receiveSigned(signedSample(SECRET, SALE))).toMatchObject({
      kind: 'translated',
      entries: [{ order }],
    });
  });

  it('can be unpaid', () => {
    expect(receiveSigned(signedSample(SECRET, { ...SALE, unpaid: true }))).toMatchObject({
      entries: [
        { kind: 'ignored', orderId: '9007199254741093', reason: 'The order is not paid yet (pending).' },
      ],
    });
  });

  it('has the shop’s encoding', () => {
    const text = new TextDecoder().decode(sampleOrder({ id: '9007199254741093' }, [{ name: 'Café' }]));
    expect(text).toContain('"id":9007199254741093,');
    expect(text).toContain('https:\\/\\/shop.example\\/');
    expect(text).toContain('Caf\\u00e9');
  });
});
