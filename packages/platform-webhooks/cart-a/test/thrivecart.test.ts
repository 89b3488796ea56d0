import { readFileSync } from 'node:fs';
import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleThriveCart } from '../src/testing.ts';
import { entriesOf, orderOf } from './receive-body.ts';

const NO_CHARGES: SampleMembers = {
  'order[charges][0][name]': undefined,
  'order[charges][0][item_identifier]': undefined,
  'order[charges][0][reference]': undefined,
  'order[charges][0][amount]': undefined,
  'order[charges][0][quantity]': undefined,
  'order[charges][0][type]': undefined,
};

const BOTH: SampleMembers = {
  'purchases[0]': 'Scorecard',
  'purchases[1]': 'Planner',
  'purchases[2]': 'Kit',
  purchase_map_flat: 'product-101,upsell-101,product-102',
};

const skusOf = (changes: SampleMembers) =>
  orderOf(sampleThriveCart(changes)).lines.map(({ candidates }) => candidates.map(({ value }) => value));

describe('an order of ThriveCart', () => {
  it('is parsed from a real request', () => {
    const body =
      'event=order.success&mode=live&order_id=900402&invoice_id=77&currency=EUR&customer[email]=ines%40example.com' +
      '&customer[name]=+&customer[first_name]=Ines&customer[last_name]=Moor&order[total]=4900' +
      '&order[total_str]=49.00&order[charges][0][item_identifier]=product_12' +
      '&order[charges][0][reference]=12&order[charges][0][amount]=4900&order[charges][0][quantity]=1';
    expect(orderOf(encode(body))).toMatchObject({
      orderId: 'thrivecart:900402',
      orderNumber: '77',
      customer: { email: 'ines@example.com', name: 'Ines Moor' },
      lines: [{ amount: '49.00', quantity: 1 }],
      notes: [],
    });
  });

  it('can be JSON', () => {
    const order = { total: 4900, charges: [{ item_identifier: 'product-12', amount: 4900, quantity: 1 }] };
    const body = { event: 'order.success', order_id: 900402, customer: { email: 'i@example.com' }, order };
    expect(orderOf(encode(JSON.stringify(body)))).toMatchObject({
      orderId: 'thrivecart:900402',
      orderNumber: '900402',
      total: '49.00',
      lines: [{ candidates: [{ value: 'product-12' }, { value: 'product_12' }], amount: '49.00' }],
    });
  });

  it.each([
    'order.subscription_payment',
    'order.subscription_cancelled',
    'order.rebill_failed',
    'cart.abandoned',
    'affiliate_commission_refund',
  ])('is not announced by %s', (event) => {
    expect(entriesOf(sampleThriveCart({ event }))).toEqual([
      {
        kind: 'ignored',
        orderId: 'thrivecart:900402',
        reason: `The event ${event} does not announce a completed order.`,
      },
    ]);
  });

  it.each([
    'order.refund',
    'order_refund',
    'order_refund_product',
    'order_refund_bump',
    'order_refund_upsell',
    'order_refund_downsell',
  ])('is refunded by %s', (event) => {
    expect(entriesOf(sampleThriveCart({ event }))).toEqual([
      {
        kind: 'ignored',
        orderId: 'thrivecart:900402',
        reason: `The shop gave money back for the order (${event}).`,
        isRefunded: true,
      },
    ]);
  });

  it('may lack the event if it looks like an order', () => {
    expect(entriesOf(sampleThriveCart({ event: undefined }))[0]?.kind).toBe('order');
    expect(entriesOf(sampleThriveCart({ event: undefined, ...NO_CHARGES }))[0]?.kind).toBe('ignored');
  });

  it.each([
    ['its name', { 'customer[name]': 'I. Moor' }, 'I. Moor'],
    ['first and last name', { 'customer[name]': 'null' }, 'Ines Moor'],
    ['nowhere', { 'customer[name]': ' ', 'customer[first_name]': 'null', 'customer[last_name]': '' }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(sampleThriveCart(changes)).customer.name).toBe(expected);
  });

  it('treats the text null as missing', () => {
    const changes = { 'customer[email]': 'null', currency: 'null', invoice_id: 'null' };
    expect(orderOf(sampleThriveCart(changes))).toMatchObject({
      customer: { email: null },
      currency: null,
      orderNumber: '900402',
    });
  });

  it.each([
    [{}, '49.00'],
    [{ 'order[total_str]': 'null' }, '49.00'],
    [{ 'order[total_str]': '1,249.00', 'order[total]': '124900' }, '1249.00'],
    [{ 'order[total_str]': undefined, 'order[total]': '5' }, '0.05'],
    [{ 'order[total_str]': undefined, 'order[total]': 'null' }, null],
  ])('with %o is worth %s', (changes, total) => {
    expect(orderOf(sampleThriveCart(changes)).total).toBe(total);
  });

  it.each([
    [{}, false],
    [{ mode: 'test' }, true],
    [{ mode: undefined, mode_int: '1' }, true],
  ])('with %o: a test is %s', (changes, test) => {
    expect(orderOf(sampleThriveCart(changes)).test).toBe(test);
  });
});

describe('a line of ThriveCart', () => {
  it.each<[string, SampleMembers, string[][]]>([
    ['an identifier in one spelling', {}, [['product_12', 'product-12']]],
    [
      'an identifier in the other',
      { 'order[charges][0][item_identifier]': 'product-12' },
      [['product-12', 'product_12']],
    ],
    ['its number alone', { 'order[charges][0][item_identifier]': 'null' }, [['12']]],
    [
      'the purchase map where there are no charges',
      { ...NO_CHARGES, purchase_map_flat: 'product-101, upsell_101,' },
      [
        ['product-101', 'product_101'],
        ['upsell_101', 'upsell-101'],
      ],
    ],
    ['neither', { ...NO_CHARGES, purchase_map_flat: 'null' }, []],
  ])('is named by %s', (_case, changes, expected) => {
    expect(skusOf(changes)).toEqual(expected);
  });

  it('has its amount in hundredths', () => {
    const amountOf = (amount: string) => {
      const order = orderOf(sampleThriveCart({ 'order[charges][0][amount]': amount }));
      return [order.lines[0]?.amount, ...order.notes];
    };
    expect(amountOf('3000')).toEqual(['30.00']);
    expect(amountOf('7')).toEqual(['0.07']);
    expect(amountOf('null')).toEqual([null, 'Line 1: no readable amount.']);
  });

  it.each<[string, SampleMembers, string[]]>([
    ['a product with neither identifier nor map', { item_type: 'product', reference: '101' }, ['101']],
    ['an upsell with neither', { item_type: 'upsell', reference: '101' }, []],
    [
      'an upsell with the identifier',
      { item_identifier: 'upsell_9', reference: '101' },
      ['upsell_9', 'upsell-9'],
    ],
  ])('uses its reference as a product only where it is one: %s', (_case, charge, expected) => {
    expect(skusOf(chargeFields({ item_identifier: undefined, ...charge }))).toEqual([expected]);
  });

  it.each<[string, SampleMembers, SampleMembers, string[]]>([
    ['name', { name: 'Planner', reference: '101' }, BOTH, ['upsell-101', 'upsell_101']],
    [
      'type and number',
      { item_type: 'upsell', name: 'Other', reference: '101' },
      BOTH,
      ['upsell-101', 'upsell_101'],
    ],
    ['number', { name: 'Other', reference: '102' }, BOTH, ['product-102', 'product_102']],
    ['nothing where two have its number', { name: 'Other', reference: '101' }, BOTH, []],
    [
      'being the only one',
      { reference: 'null' },
      { purchase_map_flat: 'product-2' },
      ['product-2', 'product_2'],
    ],
    ['no other number', { name: 'Other', reference: '7' }, { purchase_map_flat: 'product-2' }, []],
  ])('without identifier is found in the purchase map by %s', (_case, charge, map, expected) => {
    expect(skusOf({ ...chargeFields({ item_identifier: undefined, ...charge }), ...map })).toEqual([
      expected,
    ]);
  });

  it.each<[string, unknown, string[]]>([
    ['a list', ['product-2'], ['product-2', 'product_2']],
    ['an object, as PHP writes lists with gaps', { 1: 'product-2' }, ['product-2', 'product_2']],
    ['a list in a text', '["product-2"]', ['product-2', 'product_2']],
    ['an object in a text', '{"1":"product-2"}', ['product-2', 'product_2']],
    ['names with commas', 'product-2,upsell-2', []],
    ['a list of nothing we know', [{ id: 7 }], []],
    ['a text that is not a list', '[product-2', ['[product-2', '[product_2']],
    ['null', null, ['2']],
    ['an empty list', [], ['2']],
  ])('without identifier or type is found in a purchase map that is %s', (_case, map, expected) => {
    const charge = { name: 'Other', reference: 2, amount: 3000, quantity: 1 };
    const order = { total: 3000, charges: [charge] };
    const body = { event: 'order.success', order_id: 5, customer: { email: 'i@example.com' }, order };
    const { lines } = orderOf(encode(JSON.stringify({ ...body, purchase_map: map })));
    expect(lines.map(({ candidates }) => candidates.map(({ value }) => value))).toEqual([expected]);
  });

  it.each(['["Starter","Planner"]', ['Starter', 'Planner'], { 0: 'Starter', 1: 'Planner' }])(
    'is found by its name among purchases that come as %j',
    (purchases) => {
      const charge = { name: 'Planner', reference: 2, amount: 3000, quantity: 1 };
      const body = { event: 'order.success', order_id: 5, order: { charges: [charge] }, purchases };
      const map = ['product-2', 'upsell-2'];
      const { lines } = orderOf(encode(JSON.stringify({ ...body, purchase_map: map })));
      expect(lines[0]?.candidates.map(({ value }) => value)).toEqual(['upsell-2', 'upsell_2']);
    },
  );

  it.each<[string, string, string, string, string, number]>([
    ['3000', '3000', '30.00', '30.00', 'both alike', 0],
    ['100', '3000', '1.00', '1.00', 'a paid trial', 0],
    ['0', '3000', '0.00', '0.00', 'a free trial', 0],
    ['0', '3000', '30.00', '30.00', 'only the later one was paid', 0],
    ['5000', '3000', '99.99', '50.00', 'neither makes the total', 1],
  ])(
    'of a plan is one of %s and %s, with the total %s: %s (%s)',
    (single, recurring, total, price, _case, notes) => {
      const order = orderOf(
        sampleThriveCart({
          'order[total]': undefined,
          'order[total_str]': total,
          ...chargeFields({ amount: single, type: 'single' }),
          ...chargeFields({ item_identifier: 'product-12', amount: recurring, type: 'recurring' }, 1),
        }),
      );
      expect(order.lines.map(({ amount }) => amount)).toEqual([price]);
      expect(order.notes).toHaveLength(notes);
    },
  );
});

describe('an order of ThriveCart as it was captured', () => {
  it('is one price where a plan has a charge for today and one for later', () => {
    const order = orderOf(readFixture('thrivecart-plan.form'));
    expect(order).toMatchObject({ orderId: 'thrivecart:4410234', total: '30.00', notes: [] });
    expect(order.lines).toEqual([
      {
        candidates: ['product-2', 'product_2'].map((value) => ({ kind: 'sku', value })),
        quantity: 1,
        amount: '30.00',
        title: 'Starter Plan',
      },
    ]);
  });

  it.each(['thrivecart-upsell.form', 'thrivecart-order-created.json'])(
    'never takes an upsell for its product: %s',
    (name) => {
      const order = orderOf(readFixture(name));
      expect(order.orderId).toBe('thrivecart:1514394');
      expect(
        order.lines.map(({ candidates, amount }) => [amount, ...candidates.map(({ value }) => value)]),
      ).toEqual([
        ['9.00', 'product_101', 'product-101'],
        ['40.00', 'upsell_101', 'upsell-101'],
      ]);
    },
  );

  it.each(['order_payment_succeeded', 'order_payment_failed'])('is not announced again by %s', (event) => {
    const body = new TextDecoder().decode(readFixture('thrivecart-order-created.json'));
    expect(entriesOf(encode(body.replace('order_created', event)))).toEqual([
      {
        kind: 'ignored',
        orderId: 'thrivecart:1514394',
        reason: `The event ${event} is a payment of an order that order_created announces.`,
      },
    ]);
  });
});

function readFixture(name: string): Uint8Array {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url));
}

function chargeFields(charge: SampleMembers, at = 0): SampleMembers {
  return Object.fromEntries(
    Object.entries(charge).map(([name, value]) => [`order[charges][${at}][${name}]`, value]),
  );
}
