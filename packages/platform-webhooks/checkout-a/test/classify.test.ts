import { describe, expect, it } from 'vitest';
import { sampleEvent, sampleOrder } from '../src/testing.ts';
import { entriesOf } from './receive-body.ts';

const check = (changes: Readonly<Record<string, unknown>>) => entriesOf([sampleEvent(changes)])[0];

describe('a refund of checkout-a', () => {
  it('is a return of an order', () => {
    const data = { return: 'r1', original: { id: 'o1', reference: 'R' } };
    expect(check({ type: 'return.created', data })).toMatchObject({ orderId: 'o1', isRefunded: true });
    expect(check({ type: 'order.canceled', data: { id: 'o1' } })).not.toHaveProperty('isRefunded');
  });
});

describe('whether an event of checkout-a is a completed order', () => {
  it.each([
    ['order.canceled', { id: 'o1' }, 'o1', 'order.canceled: the order was cancelled.'],
    ['order.failed', { order: 'o1' }, 'o1', 'order.failed: the payment of the order failed.'],
    ['order.payment.pending', { id: 'o1' }, 'o1', 'order.payment.pending: the order is not paid yet.'],
    ['order.approval.pending', { id: 'o1' }, 'o1', 'order.approval.pending: the order waits for approval.'],
    [
      'return.created',
      { return: 'r1', id: 'r1', original: { id: 'o1', reference: 'R' } },
      'o1',
      'The shop gave money back for the order (return.created).',
    ],
    [
      'payoutEntry.created',
      { id: 'p1', order: { id: 'o1', items: [{ product: 'pads' }] } },
      'o1',
      'payoutEntry.created: this repeats an order for the books; order.completed delivers it.',
    ],
    [
      'subscription.activated',
      { id: 'sub-81', product: 'crew-plan' },
      null,
      'subscription.activated: the first order of a subscription comes as order.completed.',
    ],
    [
      'subscription.charge.completed',
      { id: 'c1', order: { id: 'o2', items: [{ product: 'pads' }] } },
      'o2',
      'subscription.charge.completed: this is a later payment of a subscription, not a new order.',
    ],
    [
      'subscription.payment.overdue',
      { id: 'sub-81' },
      null,
      'subscription.payment.overdue: this changes a subscription, and orders nothing new.',
    ],
    [
      'mailingListEntry.updated',
      { email: 'a@example.com' },
      null,
      'The event mailingListEntry.updated does not announce a completed order.',
    ],
  ])('is no for %s', (type, data, orderId, reason) => {
    expect(check({ type, data })).toMatchObject({ kind: 'ignored', orderId, reason });
  });

  it('is no if the event says that it is not completed', () => {
    const data = sampleOrder({ id: 'o1', reference: 'LUM-1', completed: false });
    expect(check({ data })).toMatchObject({
      kind: 'ignored',
      orderId: 'o1',
      orderNumber: 'LUM-1',
      reason: 'The order is not completed yet.',
    });
  });

  it('is yes if the event does not say so', () => {
    expect(check({ data: sampleOrder({ completed: undefined }) })?.kind).toBe('order');
  });

  it('is yes without a type if the event looks like an order', () => {
    expect(check({ type: undefined })?.kind).toBe('order');
    expect(check({ type: undefined, data: { id: 'o1' } })).toMatchObject({
      kind: 'ignored',
      orderId: null,
      reason: 'The event does not say what it is.',
    });
  });
});
