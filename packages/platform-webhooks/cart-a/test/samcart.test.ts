import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleSamCart } from '../src/testing.ts';
import { entriesOf, orderOf, receiveBody } from './receive-body.ts';

const typed = (type: unknown, changes = {}) => entriesOf(sampleSamCart({ type, ...changes }))[0];

describe('an order of SamCart', () => {
  it('can be as small as this', () => {
    const body =
      '{"type":"Order","api_key":null,"product":{"id":2207,"name":"Pads","price":49},' +
      '"customer":{"email":"a@example.com","first_name":"A","last_name":"B"},"order":{"id":81,"total":49}}';
    const candidates = [{ kind: 'vendor-id', value: '2207' }];
    expect(orderOf(encode(body))).toEqual({
      orderId: 'samcart:81',
      orderNumber: '81',
      customer: { email: 'a@example.com', name: 'A B' },
      currency: null,
      total: '49',
      lines: [{ candidates, quantity: 1, amount: '49', title: 'Pads' }],
      test: false,
      notes: [],
    });
  });

  it('can be a form', () => {
    const body =
      'type=Order&order[id]=81&order[total]=0.51&customer[email]=a%40example.com&products[0][id]=7' +
      '&products[0][price]=0.51&products[1][id]=8&products[1][price]=0&products[1][quantity]=3';
    const order = orderOf(encode(body));
    expect(order).toMatchObject({
      orderId: 'samcart:81',
      total: '0.51',
      customer: { email: 'a@example.com' },
    });
    expect(order.lines.map(({ amount, quantity }) => [amount, quantity])).toEqual([
      ['0.51', 1],
      ['0', 3],
    ]);
  });

  it.each([
    'Order',
    'order',
    'Product Purchased',
    'product_purchased',
    'Checkout-Charged',
    'UpsellPurchased',
    undefined,
  ])('is announced by type %s', (type) => {
    expect(typed(type)?.kind).toBe('order');
  });

  it.each([
    'Cancel',
    'RecurringPaymentSucceeded',
    'Subscription Charged',
    'SubscriptionDelinquent',
    'order.success',
  ])('is not announced by type %s', (type) => {
    expect(typed(type)).toEqual({
      kind: 'ignored',
      orderId: 'samcart:900401',
      reason: `The type ${type} does not announce a completed order.`,
    });
  });

  it.each([
    'Refund',
    'PartialRefund',
    'Product Refunded',
    'Product Partially Refunded',
    'Subscription Charge Refunded',
    'Subscription Charge Partially Refunded',
  ])('is refunded by type %s', (type) => {
    expect(typed(type)).toEqual({
      kind: 'ignored',
      orderId: 'samcart:900401',
      reason: `The shop gave money back for the order (${type}).`,
      isRefunded: true,
    });
  });

  it('needs an order or a product if it has no type', () => {
    const ignored = { kind: 'ignored', reason: 'The body is not an order.' };
    expect(typed(undefined, { order: undefined })).toMatchObject(ignored);
    expect(typed(undefined, { products: [] })).toMatchObject(ignored);
  });

  it('without an id is unreadable: it would not be unique', () => {
    expect(receiveBody(sampleSamCart({ order: [] }))).toMatchObject({
      kind: 'unreadable',
      problem: 'The order has no id.',
    });
  });

  it('without products or address is still an order: the log shows what is missing', () => {
    expect(orderOf(sampleSamCart({ products: [], customer: [] }))).toMatchObject({
      lines: [],
      customer: { email: null, name: null },
    });
  });

  it('without a charge is ignored', () => {
    expect(entriesOf(sampleSamCart({}, [{ status: 'Refunded' }]))[0]).toMatchObject({
      reason: 'None of the products was charged.',
      isRefunded: true,
    });
    expect(entriesOf(sampleSamCart({}, [{ status: 'Failed' }]))[0]).not.toHaveProperty('isRefunded');
    expect(orderOf(sampleSamCart({}, [{ status: 'Refunded' }, { sku: 'KEYS-2' }]))).toMatchObject({
      isRefunded: true,
      lines: [{ candidates: [{ value: 'KEYS-2' }, { kind: 'vendor-id' }] }],
    });
    const some = [{ status: 'Failed' }, { sku: 'KEYS-2' }, { sku: 'FREE', status: null }];
    expect(orderOf(sampleSamCart({}, some)).lines.map(({ candidates }) => candidates[0]?.value)).toEqual([
      'KEYS-2',
      'FREE',
    ]);
  });
});

describe('a product of SamCart', () => {
  it.each([
    ['a SKU', { sku: 'PAD-1' }, ['sku PAD-1', 'vendor-id 700101']],
    ['an internal name', { sku: '', internal_product_name: 'pads' }, ['sku pads', 'vendor-id 700101']],
    ['its number alone', { sku: undefined }, ['vendor-id 700101']],
    ['a number beyond 2^53', { sku: null, id: '9007199254741093' }, ['vendor-id 9007199254741093']],
  ])('with %s offers the present ones', (_case, product, expected) => {
    const [line] = orderOf(sampleSamCart({}, [product])).lines;
    expect(line?.candidates.map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected);
  });

  it.each([
    [{ price: '49.00', quantity: 2 }, '98.00', []],
    [{ price: 9.5 }, '9.5', []],
    [{ price: '0.00' }, '0.00', []],
    [{ price: null }, null, ['Line 1: no readable price.']],
    [{ price: '$9' }, null, ['Line 1: no readable price.']],
  ])('with %o costs %s', (product, amount, notes) => {
    const order = orderOf(sampleSamCart({}, [product]));
    expect(order.lines[0]?.amount).toBe(amount);
    expect(order.notes).toEqual(notes);
  });
});
