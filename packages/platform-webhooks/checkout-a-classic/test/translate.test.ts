import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, sampleForm, sampleOrder, signedSample } from '../src/testing.ts';
import { entryOf, KEY, orderOf, receiveBody, receiveSigned } from './receive-body.ts';

const skusOf = (body: Uint8Array) =>
  orderOf(body).lines.map(({ candidates }) => candidates.map(({ value }) => value));

describe('an order of checkout-a-classic', () => {
  it('can be as small as this', () => {
    expect(orderOf(encode('OrderID=EXA1-2-3&CustomerEmail=a%40example.com&OrderProductNames=PAD-1'))).toEqual(
      {
        orderId: 'EXA1-2-3',
        orderNumber: 'EXA1-2-3',
        customer: { email: 'a@example.com', name: null },
        currency: null,
        total: null,
        lines: [{ candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: null, title: 'PAD-1' }],
        test: false,
        notes: ['The order names no readable total.'],
      },
    );
  });

  it('with the default parameters is in dollars', () => {
    const changes = { OrderDiscountTotalUSD: '4.9', OrderShippingTotalUSD: '5.00' };
    expect(orderOf(sampleForm(changes))).toEqual({
      orderId: 'EXA261009-1234-56789',
      orderNumber: 'EXA261009-1234-56789',
      customer: { email: 'buyer@example.com', name: 'Noa Berg' },
      currency: 'USD',
      total: '49.10',
      lines: [{ candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: null, title: 'PAD-1' }],
      test: false,
      notes: [],
    });
  });

  it('is built from our template', () => {
    const body = fillTemplate({
      'order.reference': 'EXA1-2-3',
      'order.isTest': 'true',
      'order.currency': 'NOK',
      'order.total.value': '129.00',
      'order.customer.email': 'a@example.com',
      'order.customer.firstName': 'Ana',
      'orderItem.productName': 'Felt Piano',
      'orderItem.quantity': '2',
      'orderItem.priceTotal.value': '98.0',
    });
    expect(orderOf(body)).toEqual({
      orderId: 'EXA1-2-3',
      orderNumber: 'EXA1-2-3',
      customer: { email: 'a@example.com', name: 'Ana' },
      currency: 'NOK',
      total: '129.00',
      lines: [
        { candidates: [{ kind: 'sku', value: 'Felt Piano' }], quantity: 2, amount: '98.0', title: null },
      ],
      test: true,
      notes: [],
    });
  });

  it('whose name breaks the template is unreadable, and logged so', () => {
    expect(receiveBody(fillTemplate({ 'order.customer.firstName': 'Ana "A"' }))).toMatchObject({
      kind: 'unreadable',
      connectionId: 'main',
      problem: 'The body is not valid JSON.',
    });
  });

  it.each(['orderId', 'OrderID', 'OrderReference', 'orderReference', 'referenceId'])(
    'is told apart by %s, in both carriers',
    (name) => {
      const none = { orderId: undefined, OrderID: undefined };
      expect(orderOf(sampleOrder({ ...none, [name]: 'R-1' })).orderId).toBe('R-1');
      expect(orderOf(sampleForm({ ...none, [name]: 'R-1' })).orderId).toBe('R-1');
    },
  );

  it.each(['email', 'CustomerEmail', 'customerEmail'])('takes the e-mail address from %s', (name) => {
    const none = { email: undefined, CustomerEmail: undefined };
    expect(orderOf(sampleOrder({ ...none, [name]: ' A@x.com ' })).customer.email).toBe('A@x.com');
    expect(orderOf(sampleForm({ ...none, [name]: 'A@x.com' })).customer.email).toBe('A@x.com');
  });

  it.each([
    ['our own names', { firstName: 'A', lastName: 'B', CustomerFirstName: 'C' }, 'A B'],
    ['the default names', { firstName: ' ', lastName: '', CustomerLastName: 'D' }, 'D'],
    ['the company', { firstName: '', lastName: '', CustomerCompany: 'E' }, 'E'],
    ['nowhere', { firstName: '', lastName: '' }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(sampleOrder(changes)).customer.name).toBe(expected);
  });

  it.each<[SampleMembers, boolean]>([
    [{ test: 'true' }, true],
    [{ test: true }, true],
    [{ test: '', OrderIsTest: 'TRUE' }, true],
    [{ test: 'false', testmode: '1' }, true],
    [{ test: '0' }, false],
    [{ test: undefined }, false],
  ])('with %o: a test is %s', (changes, expected) => {
    expect(orderOf(sampleOrder(changes)).test).toBe(expected);
  });

  it.each<[string, SampleMembers, string | null, string | null]>([
    ['that of the template', { total: '9.0', currency: 'eur', OrderSubTotalUSD: '5' }, '9.0', 'EUR'],
    ['that of the template without a currency', { total: '9.0', OrderSubTotalUSD: '5' }, '9.0', null],
    ['the dollars, whatever the currency', { currency: 'EUR', OrderSubTotalUSD: '5.5' }, '5.5', 'USD'],
    ['none', { currency: 'EUR', OrderSubTotalUSD: undefined }, null, 'EUR'],
  ])('has as its total %s', (_case, changes, total, currency) => {
    expect(
      orderOf(sampleForm({ OrderDiscountTotalUSD: '', OrderShippingTotalUSD: '', ...changes })),
    ).toMatchObject({
      total,
      currency,
    });
  });

  it('is not stopped by a localised total', () => {
    expect(orderOf(sampleForm({ total: '$29.95' })).notes).toEqual([
      'The total "$29.95" is not a decimal number, and was left out.',
      'The order names no readable total.',
    ]);
  });
});

describe('a line of checkout-a-classic', () => {
  it.each<[string, SampleMembers, string[][]]>([
    ['a SKU', { sku: 'PAD-1', productName: 'Pads, deluxe' }, [['PAD-1', 'Pads, deluxe']]],
    ['a path', { sku: '', productPath: '/music/pads' }, [['pads']]],
    ['all three', { sku: 'P', productPath: '/p', productName: 'Pads' }, [['P', 'p', 'Pads']]],
    ['a name with blanks', { sku: undefined, productName: 'Felt Piano 2' }, [['Felt Piano 2']]],
    ['commas', { sku: 'A, B,, C ' }, [['A'], ['B'], ['C']]],
    ['semicolons', { sku: ' ', productName: 'Felt Piano; Keys' }, [['Felt Piano'], ['Keys']]],
    ['line breaks', { sku: 'A\r\nB\n C\r' }, [['A'], ['B'], ['C']]],
    ['several paths', { sku: null, productPath: '/x/a,/b' }, [['a'], ['b']]],
    ['a trailing comma', { sku: 'A,' }, [['A']]],
    ['nothing', { sku: '' }, [[]]],
  ])('with %s offers it in the template', (_case, item, expected) => {
    expect(skusOf(sampleOrder({}, [item]))).toEqual(expected);
  });

  it.each<[string, SampleMembers, string[][]]>([
    ['one name', {}, [['PAD-1']]],
    ['several', { OrderProductNames: 'Felt Piano, Keys' }, [['Felt Piano'], ['Keys']]],
    ['line breaks', { OrderProductNames: 'A\nB' }, [['A'], ['B']]],
    ['its own name', { productName: 'Keys', OrderProductNames: 'Keys, Pads' }, [['Keys']]],
    ['its own path', { productPath: '/x/keys', OrderProductNames: 'Keys, Pads' }, [['keys']]],
    ['its own SKU', { sku: 'K', OrderProductNames: 'Keys, Pads' }, [['K']]],
  ])('with %s offers it in the form', (_case, changes, expected) => {
    expect(skusOf(sampleForm(changes))).toEqual(expected);
  });

  it('has a maximum number per order', () => {
    const order = orderOf(sampleOrder({}, Array(3).fill({ sku: 'A,'.repeat(600) })));
    expect(order.lines).toEqual([]);
    expect(order.notes[0]).toBe('The order has more than 1000 lines, so none of them was read.');
  });

  it('of several products has the whole price on the first of them', () => {
    const amounts = (price: string | undefined) =>
      orderOf(sampleOrder({}, [{ sku: 'A,B', price }])).lines.map(({ amount }) => amount);
    expect(amounts('9.50')).toEqual(['9.50', '0']);
    expect(amounts(undefined)).toEqual([null, null]);
    expect(amounts('$9')).toEqual([null, null]);
  });

  it.each([
    [{ quantity: '3' }, 3, []],
    [{ quantity: undefined }, 1, []],
    [{ quantity: 'many' }, 1, ['Item 1: no readable quantity; taken as 1.']],
  ])('with %o counts %i', (item, quantity, notes) => {
    const order = orderOf(sampleOrder({}, [item]));
    expect(order.lines[0]?.quantity).toBe(quantity);
    expect(order.notes).toEqual(notes);
  });

  it('in a form has its own quantity and price', () => {
    const changes = { productName: 'Keys', quantity: '2', price: '18.0' };
    expect(orderOf(sampleForm(changes)).lines).toMatchObject([
      { quantity: 2, amount: '18.0', title: 'Keys' },
    ]);
  });

  it('can be one of a list in a form', () => {
    const changes = { 'items[0][sku]': 'A', 'items[1][sku]': 'B', 'items[1][quantity]': '2' };
    expect(skusOf(sampleForm(changes))).toEqual([['A'], ['B']]);
  });
});

describe('a notification of checkout-a-classic without an order', () => {
  it.each([
    ['a subscription', { orderId: 'EXA1-2-3S' }, 'The reference is that of a subscription, not of an order.'],
    ['a return', { orderId: 'EXA1-2-3X' }, 'The reference is that of a return, not of an order.'],
    ['a cancelled order', { Status: 'Canceled' }, 'The order is not completed (canceled).'],
    ['an order without products', { items: [] }, 'The body names no product.'],
    ['something without a reference', { orderId: '' }, 'The body names no order reference.'],
  ])('%s is ignored', (_case, changes, reason) => {
    expect(entryOf(sampleOrder(changes))).toMatchObject({ kind: 'ignored', reason });
  });

  it.each(['Refunded', 'returned', 'canceled'])('with the status %s', (Status) => {
    const entry = entryOf(sampleOrder({ Status }));
    expect('isRefunded' in entry).toBe(Status !== 'canceled');
  });

  it('does not include a rebill, which is an order, nor a reference that ends in such a letter', () => {
    expect(entryOf(sampleOrder({ orderId: 'EXA1-2-3B' })).kind).toBe('order');
    expect(entryOf(sampleOrder({ orderId: 'EXA1-2-ABS' })).kind).toBe('order');
    expect(entryOf(sampleOrder({ status: 'completed' })).kind).toBe('order');
  });
});

describe('a body that checkout-a-classic never sends', () => {
  it.each([
    ['', 'The body is empty.'],
    [
      '<order><reference>1</reference></order>',
      "The body is XML, not JSON: choose JSON as the webhook's format.",
    ],
    ['{"orderId":"1"', 'The body is not valid JSON.'],
    ['hello', 'The body is not valid JSON.'],
    ['[{"orderId":"1"}]', 'The body is neither a JSON object nor a form.'],
    ['a=1&'.repeat(2000), 'The form has too many fields.'],
    [`orderId=${'9'.repeat(201)}&sku=A`, "The order's id is longer than 200 characters."],
  ])('%s is unreadable', (text, problem) => {
    expect(receiveBody(encode(text))).toMatchObject({ kind: 'unreadable', connectionId: 'main', problem });
  });

  it('never crashes the platform, whatever its members are', () => {
    const members = fc.dictionary(
      fc.constantFrom('items', 'sku', 'OrderProductNames', 'test', 'total', 'OrderSubTotalUSD', '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(members, fc.array(fc.jsonValue({ maxDepth: 2 })), (changes, items) => {
        expect(receiveBody(sampleOrder({ items, ...changes }))).not.toHaveProperty('cause');
      }),
    );
  });
});

describe('a sample of checkout-a-classic', () => {
  it('can be an order that is not paid', () => {
    const sale = { orderId: '727', email: 'b@example.com', sku: 'KEYS-2', unpaid: true };
    expect(entryOf(signedSample(KEY, sale).body)).toMatchObject({ kind: 'ignored', orderId: '727' });
  });

  it('is a genuine delivery of the given sale', () => {
    const sample = signedSample(KEY, { orderId: '727', email: 'b@example.com', sku: 'KEYS-2' });
    expect(receiveSigned(sample)).toMatchObject({
      entries: [{ order: { orderId: '727', customer: { email: 'b@example.com' } } }],
    });
  });
});
