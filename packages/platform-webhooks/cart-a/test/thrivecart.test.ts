import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { type SampleMembers, sampleThriveCart } from '../src/testing.ts';
import { entriesOf, orderOf } from './receive-body.ts';

const NO_CHARGES: SampleMembers = {
  'order[charges][0][name]': undefined,
  'order[charges][0][item_identifier]': undefined,
  'order[charges][0][reference]': undefined,
  'order[charges][0][amount]': undefined,
  'order[charges][0][quantity]': undefined,
  'order[charges][0][type]': undefined,
};

const skusOf = (changes: SampleMembers) =>
  orderOf(sampleThriveCart(changes)).lines.map(({ candidates }) => candidates.map(({ value }) => value));

describe('an order of ThriveCart', () => {
  it('is read off the wire', () => {
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

  it('may come as JSON', () => {
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
    'order.refund',
    'order.subscription_payment',
    'order.subscription_cancelled',
    'order.rebill_failed',
    'cart.abandoned',
  ])('is not what %s announces', (event) => {
    expect(entriesOf(sampleThriveCart({ event }))).toEqual([
      {
        kind: 'ignored',
        orderId: 'thrivecart:900402',
        reason: `The event ${event} does not announce a completed order.`,
      },
    ]);
  });

  it('may lack the event if it looks like one', () => {
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

  it('takes the text null for nothing', () => {
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
    ['an identifier in one spelling', {}, [['product_12', 'product-12', '12']]],
    [
      'an identifier in the other',
      { 'order[charges][0][item_identifier]': 'product-12' },
      [['product-12', 'product_12', '12']],
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

  it('of a plan comes twice, and stays two lines of one product', () => {
    const second = { item_identifier: 'product_12', amount: '900', quantity: '1', type: 'recurring' };
    const fields = Object.entries(second).map(([name, value]) => [`order[charges][1][${name}]`, value]);
    expect(skusOf(Object.fromEntries(fields))).toEqual([
      ['product_12', 'product-12', '12'],
      ['product_12', 'product-12'],
    ]);
  });
});
