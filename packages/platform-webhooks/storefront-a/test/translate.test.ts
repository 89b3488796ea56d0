import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleOrder, signedSample } from '../src/testing.ts';
import { entryOf, orderOf, receiveBody, receiveSigned, SECRET } from './receive-body.ts';

describe('an order of storefront-a', () => {
  it('can be as small as this', () => {
    const body = encode(
      '{"id":5001,"name":"#1001","email":"a@example.com","currency":"EUR","total_price":"49.00",' +
        '"financial_status":"paid","line_items":[{"id":1,"sku":"PAD-1","quantity":1,"price":"49.00"}]}',
    );
    const line = { candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: '49.00', title: null };
    expect(entryOf(body)).toEqual({
      kind: 'order',
      order: {
        orderId: '5001',
        orderNumber: '#1001',
        customer: { email: 'a@example.com', name: null },
        currency: 'EUR',
        total: '49.00',
        lines: [line],
        test: false,
        notes: [],
      },
    });
  });

  it('says in which language the buyer ordered, if it names one', () => {
    expect(orderOf({ customer_locale: 'de-AT' }).language).toBe('de-AT');
    for (const customer_locale of [null, ' ']) expect(orderOf({ customer_locale }).language).toBeUndefined();
  });

  it('keeps every digit of an id beyond 2^53', () => {
    expect(orderOf({ id: '9007199254741093' }).orderId).toBe('9007199254741093');
    expect(orderOf({ id: '820982911946154508' }).orderId).toBe('820982911946154508');
  });

  it('is identified by its global id where it has no other', () => {
    const gid = 'gid://shopify/Order/9007199254741093';
    expect(orderOf({ id: undefined, admin_graphql_api_id: gid }).orderId).toBe('9007199254741093');
  });

  it('keeps vendor ids exact too', () => {
    const [line] = orderOf({}, [{ sku: null, variant_id: '9007199254741093', product_id: null }]).lines;
    expect(line?.candidates).toEqual([{ kind: 'vendor-id', value: '9007199254741093' }]);
  });

  it.each([
    ['its name', { name: '#1042-EU' }, '#1042-EU'],
    ['its number where the name is missing', { name: null, order_number: 1042 }, '1042'],
    ['its id where both are', { name: '', order_number: null }, '5001'],
  ])('shows %s to people', (_case, changes, expected) => {
    expect(orderOf(changes).orderNumber).toBe(expected);
  });

  it.each([
    ['email', { email: ' A@Example.com ' }, 'A@Example.com'],
    ['contact_email', { email: null, contact_email: 'c@example.com' }, 'c@example.com'],
    [
      'customer.email',
      { email: '', contact_email: '  ', customer: { email: 'd@example.com' } },
      'd@example.com',
    ],
    ['nowhere', { email: null, contact_email: null, customer: null }, null],
  ])('takes the e-mail address from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.email).toBe(expected);
  });

  it.each([
    ['first and last name', { customer: { first_name: 'Ana', last_name: 'Lima' } }, 'Ana Lima'],
    ['one of them', { customer: { first_name: null, last_name: 'Lima' } }, 'Lima'],
    ['the billing address', { customer: { first_name: ' ' }, billing_address: { name: 'B' } }, 'B'],
    ['the shipping address', { customer: null, billing_address: null, shipping_address: { name: 'S' } }, 'S'],
    ['nowhere', { customer: null, billing_address: null }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.name).toBe(expected);
  });

  it('says whether it is a test', () => {
    expect(orderOf({ test: true }).test).toBe(true);
    expect(orderOf({ test: undefined }).test).toBe(false);
  });

  it('has the currency of the shop, not of the buyer', () => {
    expect(orderOf({ currency: 'usd', presentment_currency: 'EUR' }).currency).toBe('USD');
  });

  it('without lines is still an order: the log shows what is missing', () => {
    expect(orderOf({ line_items: [] }).lines).toEqual([]);
    expect(orderOf({ line_items: [null, 'x', 7] }).lines).toEqual([]);
  });

  it('with two lines of one SKU keeps both', () => {
    expect(orderOf({}, [{}, {}]).lines).toHaveLength(2);
  });

  it('leaves out removed lines', () => {
    const lines = [
      { sku: 'GONE', quantity: 2, current_quantity: 0 },
      { sku: 'KEPT' },
      { sku: 'NONE', quantity: 0 },
    ];
    expect(orderOf({}, lines).lines.map(({ candidates }) => candidates[0]?.value)).toEqual(['KEPT']);
  });
});

describe('a line of storefront-a', () => {
  it.each([
    ['nothing but a title', { sku: null, variant_id: null, product_id: null }, []],
    ['an empty SKU', { sku: '', variant_id: '8', product_id: null }, ['vendor-id 8']],
    ['zeros for what it has not', { sku: '0', variant_id: 0, product_id: '9' }, ['vendor-id 9']],
    ['a padded SKU', { sku: ' PAD-1 ', variant_id: null, product_id: '9' }, ['sku PAD-1', 'vendor-id 9']],
    ['a SKU that is a number', { sku: 12, variant_id: null, product_id: null }, ['sku 12']],
  ])('with %s offers the other ones', (_case, line, expected) => {
    const [translated] = orderOf({}, [line]).lines;
    expect(translated?.candidates.map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });

  it.each([
    ['price', { price: '49.00' }, '49.00'],
    ['price times quantity', { price: '19.99', quantity: 3 }, '59.97'],
    [
      'that less its discounts',
      { price: '49.00', discount_allocations: [{ amount: '4.90' }, { amount: '0.1' }] },
      '44.00',
    ],
    [
      'nothing after a discount of all',
      { price: '49.00', discount_allocations: [{ amount: '49.00' }] },
      '0.00',
    ],
    [
      'price where discounts are missing',
      { price: '0.1', quantity: 3, discount_allocations: undefined },
      '0.3',
    ],
    ['price as a JSON number', { price: 49.9 }, '49.9'],
    ['unknown where the price is missing', { price: null }, null],
  ])('costs its %s', (_case, line, expected) => {
    expect(orderOf({}, [line]).lines[0]?.amount).toBe(expected);
  });

  it('without a readable quantity counts once, with a note', () => {
    const order = orderOf({}, [{ quantity: 'many' }]);
    expect(order.lines[0]?.quantity).toBe(1);
    expect(order.notes).toEqual(['Line 1: no readable quantity; taken as 1.']);
  });
});

describe('unusual amounts of storefront-a never stop an order, but are noted', () => {
  it.each<[string, SampleMembers, SampleMembers, readonly string[]]>([
    ['a missing total', { total_price: null }, {}, ['The order names no readable total.']],
    [
      'a total that is not a number',
      { total_price: '$49.00' },
      {},
      ['The total "$49.00" is not a decimal number, and was left out.', 'The order names no readable total.'],
    ],
    ['an unknown currency', { currency: 'ZZZ' }, {}, ['ZZZ is not the code of a currency in circulation.']],
    [
      'decimals that the currency has not',
      { currency: 'ISK', total_price: '5.50' },
      { price: '5' },
      ['The total 5.50 has more decimals than ISK has.'],
    ],
    ['a missing price', {}, { price: undefined }, ['Line 1: no readable price.']],
    [
      'a discount that is not a number',
      {},
      { discount_allocations: [{ amount: 'all' }] },
      ['Line 1: a discount that cannot be read was left out.'],
    ],
    [
      'a discount beyond the price',
      {},
      { discount_allocations: [{ amount: '50.00' }] },
      ['Line 1: the amount -1.00 is negative.'],
    ],
  ])('%s', (_case, changes, line, notes) => {
    expect(orderOf(changes, [line]).notes).toEqual(notes);
  });
});

describe('a body that storefront-a never sends', () => {
  it.each([
    ['<?xml version="1.0"?><order/>', "The body is XML, not JSON: choose JSON as the webhook's format."],
    ['id=5001&name=x', 'The body is not valid JSON.'],
    ['', 'The body is empty.'],
    ['[]', 'The body is not a JSON object.'],
    ['"paid"', 'The body is not a JSON object.'],
    [`{"id":"${'9'.repeat(201)}","line_items":[]}`, "The order's id is longer than 200 characters."],
  ])('%s is unreadable', (text, problem) => {
    expect(receiveBody(encode(text))).toEqual({ kind: 'unreadable', connectionId: 'main', problem });
  });

  it('is at most unreadable or ignored', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('orders/paid', null), (value, topic) => {
        const reception = receiveBody(encode(JSON.stringify(value)), topic);
        expect(reception).not.toHaveProperty('cause');
      }),
    );
  });

  it('never crashes the platform, whatever JSON the members of an order are', () => {
    const members = fc.dictionary(
      fc.constantFrom(
        'id',
        'line_items',
        'customer',
        'total_price',
        'currency',
        'financial_status',
        '__proto__',
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const lines = fc.array(
      fc.dictionary(
        fc.constantFrom('sku', 'quantity', 'price', 'discount_allocations'),
        fc.jsonValue({ maxDepth: 3 }),
      ),
    );
    fc.assert(
      fc.property(members, lines, (changes, items) => {
        expect(receiveBody(sampleOrder(changes, items))).not.toHaveProperty('cause');
      }),
    );
  });
});

describe('a sample of storefront-a', () => {
  const SALE = { orderId: '9007199254741093', email: 'b@example.com', sku: 'KEYS-2' };

  it('is a genuine delivery of the given sale', () => {
    expect(receiveSigned(signedSample(SECRET, SALE))).toMatchObject({
      kind: 'translated',
      entries: [
        { order: { orderId: '9007199254741093', customer: { email: 'b@example.com' }, total: '49.00' } },
      ],
    });
  });

  it('can be unpaid', () => {
    expect(receiveSigned(signedSample(SECRET, { ...SALE, unpaid: true }))).toMatchObject({
      entries: [{ kind: 'ignored', orderId: SALE.orderId, reason: 'The order is not paid yet (pending).' }],
    });
  });

  it('writes ids as bare numbers, as the shop does', () => {
    const text = new TextDecoder().decode(sampleOrder({ id: '9007199254741093' }));
    expect(text).toContain('"id":9007199254741093,');
  });
});
