import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../src/testing.ts';
import { entryOf } from './receive-body.ts';

describe('a refund of storefront-a', () => {
  it('is in the state of an order, and names it with its own topic', () => {
    const refund = encode('{"id":9,"order_id":5001}');
    expect(entryOf(refund, 'refunds/create')).toMatchObject({ orderId: '5001', isRefunded: true });
    const whole = sampleOrder({ financial_status: 'refunded', cancelled_at: '2026-10-09' });
    for (const topic of ['orders/updated', 'orders/cancelled'])
      expect(entryOf(whole, topic)).toMatchObject({ kind: 'ignored', orderId: '5001', isRefunded: true });
    expect(entryOf(sampleOrder({ financial_status: 'partially_refunded' }))).toMatchObject({
      kind: 'order',
      order: { isRefunded: true },
    });
  });

  it('needs a transaction that did not fail, if the shop lists them: a removed line is a refund without money', () => {
    const transactions = [{ id: 7, kind: 'refund', status: 'success', amount: '49.00' }];
    const failed = [{ status: 'failure' }, { status: 'ERROR' }];
    const refund = { id: 9, order_id: 5001, refund_line_items: [{ quantity: 1, subtotal: 49 }] };
    const entryWith = (listed: unknown) =>
      entryOf(encode(JSON.stringify({ ...refund, transactions: listed })), 'refunds/create');
    expect(entryWith(transactions)).toMatchObject({ orderId: '5001', isRefunded: true });
    for (const moved of [[...failed, ...transactions], [{ status: 'pending' }], [{}], undefined])
      expect(entryWith(moved)).toMatchObject({ isRefunded: true });
    for (const none of [[], failed])
      expect(entryWith(none)).toEqual({
        kind: 'ignored',
        orderId: '5001',
        reason: 'The shop recorded a refund that gave no money back (refunds/create).',
      });
  });

  it.each(['paid', 'voided', 'pending'])('is not in the state %s', (financial_status) => {
    expect(JSON.stringify(entryOf(sampleOrder({ financial_status })))).not.toMatch('isRefunded');
  });
});

describe('whether an order of storefront-a is completed', () => {
  const TOPICS = ['orders/paid', 'orders/create', 'orders/updated', 'orders/fulfilled', 'Orders/Paid', null];

  it.each(TOPICS)('depends on its state with topic %s', (topic) => {
    expect(entryOf(sampleOrder({ financial_status: 'paid' }), topic).kind).toBe('order');
    expect(entryOf(sampleOrder({ financial_status: 'partially_refunded' }), topic).kind).toBe('order');
    expect(entryOf(sampleOrder({ financial_status: 'pending' }), topic).kind).toBe('ignored');
  });

  it.each([
    ['pending', 'The order is not paid yet (pending).'],
    ['authorized', 'The order is not paid yet (authorized).'],
    ['partially_paid', 'The order is not paid yet (partially_paid).'],
    ['refunded', 'The order was refunded.'],
    ['voided', 'The payment of the order was voided.'],
    ['on the moon', 'The order is not paid yet (on the moon).'],
  ])('%s: it is not', (state, reason) => {
    expect(entryOf(sampleOrder({ financial_status: state }))).toMatchObject({
      kind: 'ignored',
      orderId: '5001',
      orderNumber: '#1001',
      reason,
    });
  });

  it.each([
    ['orders/paid', 'order'],
    ['orders/fulfilled', 'order'],
    [null, 'order'],
    ['orders/create', 'ignored'],
    ['orders/updated', 'ignored'],
  ])('depends on topic %s where the state is missing', (topic, kind) => {
    expect(entryOf(sampleOrder({ financial_status: undefined }), topic).kind).toBe(kind);
  });

  it('is yes despite additional members of an app, when the topic identifies an order', () => {
    expect(entryOf(sampleOrder({ order_id: '7', abandoned_checkout_url: 'https://x' })).kind).toBe('order');
  });

  it('is false where it was cancelled, even if paid', () => {
    const body = sampleOrder({ cancelled_at: '2026-10-09T11:00:00-03:00' });
    expect(entryOf(body)).toMatchObject({
      kind: 'ignored',
      orderId: '5001',
      reason: 'The order was cancelled.',
    });
  });

  it('is no for the shop’s test notification, with orders/paid too', () => {
    const cancelled_at = '2026-10-09T11:00:00-03:00';
    const changes = { id: '820982911946154508', test: true, financial_status: 'voided', cancelled_at };
    expect(entryOf(sampleOrder(changes))).toMatchObject({
      kind: 'ignored',
      orderId: '820982911946154508',
      reason: "This is the shop's test notification: nothing was sold.",
    });
  });

  it('is false where every line was removed', () => {
    expect(entryOf(sampleOrder({}, [{ current_quantity: 0 }]))).toMatchObject({
      reason: 'Every line was removed from the order.',
    });
  });

  it.each([
    ['orders/cancelled', sampleOrder(), '5001'],
    ['orders/delete', encode('{"id":5001}'), '5001'],
    ['orders/edited', encode('{"order_edit":{"id":7,"order_id":5001}}'), '5001'],
    ['refunds/create', encode('{"id":9,"order_id":5001}'), '5001'],
    ['fulfillments/create', encode('{"id":9,"order_id":5001,"line_items":[{"sku":"PAD-1"}]}'), '5001'],
    ['draft_orders/create', encode('{"id":9,"line_items":[{"sku":"PAD-1"}]}'), null],
    ['customers/redact', encode('{"customer":{"id":1}}'), null],
  ])('is no with topic %s', (topic, body, orderId) => {
    const reason =
      topic === 'refunds/create'
        ? 'The shop gave money back for the order (refunds/create).'
        : `The topic ${topic} does not announce a completed order.`;
    expect(entryOf(body, topic)).toMatchObject({ kind: 'ignored', orderId, reason });
  });

  it.each([
    ['a deletion', '{"id":5001}', null],
    ['an edit', '{"order_edit":{"id":7,"order_id":5001}}', '5001'],
    ['a refund', '{"id":9,"order_id":5001,"refund_line_items":[]}', '5001'],
    ['a fulfilment', '{"id":9,"order_id":5001,"line_items":[{"sku":"PAD-1"}]}', '5001'],
    [
      'a draft',
      '{"id":9,"admin_graphql_api_id":"gid://shopify/DraftOrder/9","line_items":[{"sku":"PAD-1"}]}',
      null,
    ],
    ['a checkout', '{"id":9,"abandoned_checkout_url":"https://x","line_items":[{"sku":"PAD-1"}]}', null],
    ['lines without an id', '{"line_items":[{"sku":"PAD-1"}]}', null],
  ])('is no for %s without a topic', (_case, body, orderId) => {
    expect(entryOf(encode(body), null)).toMatchObject({
      kind: 'ignored',
      orderId,
      reason: 'The body is not an order.',
    });
  });
});
