import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleLegacyOrder, sampleOrder } from '../src/testing.ts';
import { entryOf } from './receive-body.ts';

describe('a refund of storefront-b', () => {
  it('is the status of the order, or in its list of refunds', () => {
    for (const status of ['refunded', 'wc-refunded'])
      expect(entryOf(sampleOrder({ status }))).toMatchObject({ kind: 'ignored', isRefunded: true });
    expect(entryOf(sampleOrder({ refunds: [{ id: 9, total: '-5.00' }] }))).toMatchObject({
      order: { isRefunded: true },
    });
    for (const changes of [{ refunds: [] }, { status: 'cancelled' }, {}])
      expect(JSON.stringify(entryOf(sampleOrder(changes)))).not.toMatch('isRefunded');
  });
});

describe('whether an order of storefront-b is completed', () => {
  const TOPICS = ['order.created', 'order.updated', 'order.restored', 'Order.Updated', null];

  it.each(TOPICS)('depends on its status with topic %s', (topic) => {
    expect(entryOf(sampleOrder({ status: 'processing' }), topic).kind).toBe('order');
    expect(entryOf(sampleOrder({ status: 'completed' }), topic).kind).toBe('order');
    expect(entryOf(sampleOrder({ status: 'pending' }), topic).kind).toBe('ignored');
  });

  it.each([
    ['pending', 'The order is not paid yet (pending).'],
    ['on-hold', 'The order waits until the merchant confirms its payment (on-hold).'],
    ['checkout-draft', 'The buyer has not finished the checkout yet (checkout-draft).'],
    ['cancelled', 'The order was cancelled.'],
    ['refunded', 'The order was refunded.'],
    ['failed', 'The payment of the order failed.'],
    ['trash', "The order is in the shop's trash."],
    ['awaiting-shipment', 'The status awaiting-shipment is not that of a completed order.'],
  ])('%s: it is not', (status, reason) => {
    expect(entryOf(sampleOrder({ status }))).toMatchObject({
      kind: 'ignored',
      orderId: '727',
      orderNumber: '727',
      reason,
    });
  });

  it.each(TOPICS)('is yes with topic %s where no shop would omit the status', (topic) => {
    expect(entryOf(sampleOrder({ status: undefined }), topic).kind).toBe('order');
  });

  it.each(['wc-processing', 'WC-Completed'])(
    'is yes where the shop sends the status as it stores it: %s',
    (status) => {
      expect(entryOf(sampleOrder({ status })).kind).toBe('order');
    },
  );

  it('is yes for virtual goods, which are completed at once', () => {
    expect(entryOf(sampleOrder({ status: 'completed' }), 'order.created').kind).toBe('order');
  });

  it('is yes for cash on delivery', () => {
    expect(entryOf(sampleOrder({ date_paid: null, date_paid_gmt: null })).kind).toBe('order');
  });

  it('is yes after a partial refund: the status shows a full one', () => {
    expect(entryOf(sampleOrder({ refunds: [{ id: 9, total: '-5.00' }] })).kind).toBe('order');
  });

  it.each([
    ['order.deleted', encode('{"id":727}'), '727'],
    ['order.deleted', sampleOrder(), '727'],
    ['order.paid', sampleOrder(), '727'],
    ['coupon.created', encode('{"id":4,"code":"ten"}'), null],
    ['customer.updated', encode('{"id":5,"email":"a@example.com"}'), null],
    ['product.updated', encode('{"id":93,"sku":"PAD-1"}'), null],
    ['subscription.created', sampleOrder({ status: 'active' }), null],
  ])('is no with topic %s', (topic, body, orderId) => {
    const reason = `The topic ${topic} does not announce a completed order.`;
    expect(entryOf(body, topic)).toMatchObject({ kind: 'ignored', orderId, reason });
  });

  it.each([
    ['woocommerce_order_status_completed', '727', '727'],
    ['woocommerce_payment_complete', '727', '727'],
    ['woocommerce_add_to_cart', '"a1b2"', null],
    ['woocommerce_new_order_item', '315', null],
  ])('is no with the custom topic of %s, which contains no order', (action, arg, orderId) => {
    const topic = `action.${action}`;
    const reason = `The topic ${topic} brings no order, only an id: choose the topic "Order updated" for the webhook.`;
    expect(entryOf(encode(`{"action":"${action}","arg":${arg}}`), topic)).toMatchObject({
      kind: 'ignored',
      orderId,
      reason,
    });
  });

  it.each([
    ['a deletion', '{"id":727}'],
    ['a product', '{"id":93,"sku":"PAD-1","status":"publish"}'],
    ['a custom topic', '{"action":"woocommerce_order_status_completed","arg":727}'],
    [
      'a refund',
      '{"id":9,"amount":"5.00","refunded_by":1,"refunded_payment":false,"line_items":[{"sku":"PAD-1"}]}',
    ],
    ['lines without an id', '{"line_items":[{"sku":"PAD-1"}]}'],
    ['a wrapped nothing', '{"order":7}'],
    ['a wrapped deletion', '{"order":{"id":727}}'],
  ])('is no for %s without a topic', (_case, body) => {
    const reason = 'The body is not an order.';
    expect(entryOf(encode(body), null)).toMatchObject({ kind: 'ignored', orderId: null, reason });
  });

  it.each(TOPICS)(
    'cannot be delivered with topic %s where it is paid and came without its lines',
    (topic) => {
      for (const status of ['processing', 'wc-completed']) {
        expect(entryOf(sampleOrder({ status, line_items: undefined }), topic)).toMatchObject({
          kind: 'error',
          orderId: '727',
          orderNumber: '727',
          reason: expect.stringMatching(/^The order came without its lines\. Choose /),
        });
      }
      expect(entryOf(sampleOrder({ status: 'pending', line_items: undefined }), topic)).toMatchObject({
        kind: 'ignored',
      });
      const refund = { line_items: undefined, refunded_by: 1 };
      expect(entryOf(sampleOrder(refund), null)).toMatchObject({ kind: 'ignored' });
    },
  );

  it('is false where every line was removed', () => {
    const lines = [
      { sku: 'A', quantity: 0 },
      { sku: 'B', quantity: '0.0' },
    ];
    expect(entryOf(sampleOrder({ line_items: lines }))).toMatchObject({
      kind: 'ignored',
      orderId: '727',
      reason: 'Every line was removed from the order.',
    });
    // What has no lines is an order that cannot be delivered.
    expect(entryOf(sampleOrder({ line_items: [] })).kind).toBe('order');
  });

  it('is unknown where the shop sends its own error instead', () => {
    const body = '{"code":"woocommerce_rest_cannot_view","message":"Sorry.","data":{"status":403}}';
    expect(entryOf(encode(body))).toMatchObject({
      kind: 'ignored',
      orderId: null,
      reason: "The shop sent an error instead of the order: the webhook's user may not read orders.",
    });
  });

  it('depends on its status in a legacy payload too', () => {
    expect(entryOf(sampleLegacyOrder()).kind).toBe('order');
    expect(entryOf(sampleLegacyOrder({ status: 'on-hold' }))).toMatchObject({
      kind: 'ignored',
      orderId: '727',
    });
    expect(entryOf(sampleLegacyOrder(), 'order.deleted')).toMatchObject({ kind: 'ignored', orderId: '727' });
  });
});
