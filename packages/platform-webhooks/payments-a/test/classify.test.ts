import { readFileSync } from 'node:fs';
import type { SampleMembers } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../src/testing.ts';
import { entriesOf, entryOf, receiveBody } from './receive-body.ts';

const PAID_LATER = { type: 'checkout.session.async_payment_succeeded' };

describe('a refund of payments-a', () => {
  it('names the payment, which is the number of the order', () => {
    const object = { id: 'ch_1', object: 'charge', payment_intent: 'pi_7', refunded: true };
    expect(entryOf(sampleEvent({}, { type: 'charge.refunded', data: { object } }))).toEqual({
      kind: 'ignored',
      orderId: null,
      orderNumber: 'pi_7',
      reason: 'The shop gave money back for the order (charge.refunded).',
      isRefunded: true,
    });
    expect(entryOf(sampleEvent({ payment_intent: 'pi_7' }))).toMatchObject({
      order: { orderNumber: 'pi_7' },
    });
    expect(entryOf(encode('{"object":"event","type":"charge.refunded"}'))).toEqual({
      kind: 'ignored',
      orderId: null,
      reason: 'The shop gave money back for the order (charge.refunded).',
    });
    const dispute = { type: 'charge.dispute.created', data: { object } };
    expect(entryOf(sampleEvent({}, dispute))).not.toHaveProperty('isRefunded');
  });

  it('names the invoice too, which is the number of the order where a subscription was sold', () => {
    const object = { id: 'ch_2', object: 'charge', payment_intent: 'pi_8', invoice: 'in_8' };
    const refund = { kind: 'ignored', orderId: null, reason: expect.any(String), isRefunded: true };
    expect(entriesOf(sampleEvent({}, { type: 'charge.refunded', data: { object } }))).toEqual([
      { ...refund, orderNumber: 'pi_8' },
      { ...refund, orderNumber: 'in_8' },
    ]);
    const alone = { type: 'charge.refunded', data: { object: { ...object, payment_intent: null } } };
    expect(entriesOf(sampleEvent({}, alone))).toEqual([{ ...refund, orderNumber: 'in_8' }]);
    expect(entryOf(sampleEvent({ payment_intent: null, invoice: 'in_8' }))).toMatchObject({
      order: { orderNumber: 'in_8' },
    });
  });
});

describe('whether an event of payments-a completes an order', () => {
  it.each(['paid', 'no_payment_required'])('is yes where the session is %s', (payment_status) => {
    expect(entryOf(sampleEvent({ payment_status })).kind).toBe('order');
  });

  it.each(['payment', 'subscription', undefined])('is yes in mode %s', (mode) => {
    expect(entryOf(sampleEvent({ mode })).kind).toBe('order');
  });

  it('is yes without a payment status, if no vendor would omit it', () => {
    expect(entryOf(sampleEvent({ payment_status: undefined })).kind).toBe('order');
  });

  it('is no before a delayed payment, and yes after it, for the same order', () => {
    const [before, after] = [
      entryOf(sampleEvent({ payment_status: 'unpaid' }, { id: 'evt_1' })),
      entryOf(sampleEvent({ payment_status: 'paid' }, { id: 'evt_2', ...PAID_LATER })),
    ];
    expect(before).toEqual({
      kind: 'ignored',
      orderId: 'cs_live_b1',
      reason: 'The session is completed but not paid: waiting for the payment.',
    });
    expect(after).toMatchObject({ kind: 'order', order: { orderId: 'cs_live_b1' } });
  });

  it.each([
    [
      'checkout.session.completed',
      { payment_status: 'on the moon' },
      'The session is completed, but its payment status is on the moon.',
    ],
    [
      'checkout.session.completed',
      { mode: 'setup', amount_total: null },
      'The session only saved a way to pay: nothing was sold.',
    ],
    [PAID_LATER.type, { mode: 'setup' }, 'The session only saved a way to pay: nothing was sold.'],
    [
      'checkout.session.async_payment_failed',
      { payment_status: 'unpaid' },
      'The delayed payment failed: nothing is delivered.',
    ],
    [
      'checkout.session.expired',
      { payment_status: 'unpaid', status: 'expired' },
      'The session expired before it was completed.',
    ],
    ['checkout.session.dreamt', {}, 'The event checkout.session.dreamt does not announce a completed order.'],
  ])('is no for %s with %j', (type, session, reason) => {
    expect(entryOf(sampleEvent(session, { type }))).toEqual({
      kind: 'ignored',
      orderId: 'cs_live_b1',
      reason,
    });
  });

  it.each([
    [
      'payment_intent.succeeded',
      'The event payment_intent.succeeded belongs to a sale that its checkout session announces.',
    ],
    ['charge.succeeded', 'The event charge.succeeded belongs to a sale that its checkout session announces.'],
    ['charge.dispute.created', 'A dispute is not a completed order.'],
    [
      'invoice.paid',
      'A paid invoice belongs to a sale that its checkout session announces, or is a renewal.',
    ],
    ['customer.subscription.created', 'A change of a subscription is not a completed order.'],
    ['customer.subscription.deleted', 'A change of a subscription is not a completed order.'],
    ['moon.risen', 'The event moon.risen does not announce a completed order.'],
  ])('is no for %s, whatever it contains', (type, reason) => {
    expect(entryOf(sampleEvent({}, { type }))).toEqual({ kind: 'ignored', orderId: null, reason });
    const bare = encode(JSON.stringify({ object: 'event', type }));
    expect(entryOf(bare)).toEqual({ kind: 'ignored', orderId: null, reason });
  });

  it('is no for events of the newer kind', () => {
    const event = { object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found', data: undefined };
    expect(entryOf(sampleEvent({}, event)).kind).toBe('ignored');
  });

  it.each(['completed', 'async_payment_succeeded'])('cannot be told by a thin event: %s', (name) => {
    expect(entryOf(thinEvent({ type: `v1.checkout.session.${name}` }))).toEqual({
      kind: 'error',
      orderId: 'cs_live_b1',
      reason: expect.stringMatching(/thin event.*choose snapshot payloads/),
    });
  });

  it.each(['v1.checkout.session.expired', 'v1.payment_intent.succeeded'])(
    'is no for the thin event %s',
    (type) => {
      expect(entryOf(thinEvent({ type })).kind).toBe('ignored');
    },
  );

  it('names the event where a thin one names no session', () => {
    expect(entryOf(thinEvent({ related_object: null }))).toMatchObject({
      kind: 'error',
      orderId: 'evt_test_61T',
    });
  });

  it.each([
    ['{}', 'The body is not an event.'],
    ['{"object":"event"}', 'The body is not an event.'],
    ['{"object":"checkout.session","type":"checkout.session.completed"}', 'The body is not an event.'],
    ['{"object":"event","type":"checkout.session.completed"}', 'The event holds no checkout session.'],
    [
      '{"type":"checkout.session.completed","data":{"object":{"payment_status":"paid"}}}',
      'The event holds no checkout session.',
    ],
    ['{"type":"checkout.session.completed","data":{"object":7}}', 'The event holds no checkout session.'],
    ['[]', 'The body is not a JSON object.'],
    ['', 'The body is empty.'],
    ['payment=1', 'The body is not valid JSON.'],
  ])('is unknown in %s', (text, problem) => {
    expect(receiveBody(encode(text))).toEqual({ kind: 'unreadable', connectionId: 'main', problem });
  });
});

function thinEvent(changes: SampleMembers): Uint8Array {
  const text = readFileSync(new URL('fixtures/thin-event.json', import.meta.url), 'utf8');
  return encode(JSON.stringify({ ...JSON.parse(text), ...changes }));
}
