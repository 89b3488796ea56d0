import type { SampleMembers } from '@handover/platform-contract';
import { translateAgain } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { cartA } from '../src/index.ts';
import { sampleUltraCart, ultraCartOrder } from '../src/testing.ts';
import { entriesOf, orderOf } from './receive-body.ts';

const paid = (changes: SampleMembers = {}, items?: readonly SampleMembers[]) =>
  sampleUltraCart(['order_payment_process', ultraCartOrder(changes, items)]);
const entryOf = (event: string, changes: SampleMembers = {}) =>
  entriesOf(sampleUltraCart([event, ultraCartOrder(changes)]))[0];

describe('an order of UltraCart', () => {
  it.each([
    ['order_payment_process', {}, 'order'],
    ['Order-Payment-Process', { payment: undefined }, 'order'],
    ['order_create', {}, 'order'],
    ['order_create', { payment: { payment_dts: null } }, 'The order is not paid yet.'],
    [
      'order_create',
      { payment: undefined },
      'order_create does not say whether the order is paid: let UltraCart send order_payment_process as well.',
    ],
    [
      'order_payment_process',
      { payment: { payment_status: 'Declined' } },
      'The order is not paid (Declined).',
    ],
    ['order_payment_process', { current_stage: 'Rejected' }, 'The order was rejected.'],
    ['order_update', {}, 'The event order_update does not announce a completed order.'],
    ['auto_order_rebill', {}, 'The event auto_order_rebill does not announce a completed order.'],
  ])('under %s with %o: %s', (event, changes, expected) => {
    const entry = entryOf(event, changes);
    expect(entry?.kind === 'ignored' ? entry.reason : entry?.kind).toBe(expected);
  });

  it('without expansions says which to add', () => {
    const body = sampleUltraCart(['order_payment_process', { merchant_id: 'DEMO', order_id: 'DEMO-1' }]);
    expect(orderOf(body)).toEqual({
      orderId: 'ultracart:DEMO-1',
      orderNumber: 'DEMO-1',
      customer: { email: null, name: null },
      currency: null,
      total: null,
      lines: [],
      test: false,
      notes: [
        'Parts of the order are missing: add the expansions billing, item, summary to the webhook in UltraCart.',
        'The order names no readable total.',
      ],
    });
    expect(orderOf(paid({ summary: undefined })).notes[0]).toContain('add the expansions summary to');
  });

  it.each([
    ['first and last name', {}, 'Ines Moor'],
    ['the company', { billing: { company: 'Moor Ltd', first_name: ' ' } }, 'Moor Ltd'],
    ['nowhere', { billing: {} }, null],
  ])('takes the name from %s', (_case, changes, expected) => {
    expect(orderOf(paid(changes)).customer.name).toBe(expected);
  });

  it('has the currency of its total, otherwise its own', () => {
    expect(orderOf(paid({ currency_code: 'EUR' })).currency).toBe('USD');
    expect(orderOf(paid({ currency_code: 'EUR', summary: { total: { value: 5 } } }))).toMatchObject({
      currency: 'EUR',
      total: '5',
    });
  });

  it('is refunded by an event of its own, or as its payment says', () => {
    const paid = { payment: { payment_status: 'Refunded' } };
    for (const event of [
      ['order_refund', ultraCartOrder()],
      ['order_update', ultraCartOrder(paid)],
      ['order_payment_process', ultraCartOrder(paid)],
    ] as const)
      expect(entriesOf(sampleUltraCart(event))[0]).toMatchObject({ kind: 'ignored', isRefunded: true });
    expect(entriesOf(sampleUltraCart(['order_update', ultraCartOrder()]))[0]).not.toHaveProperty(
      'isRefunded',
    );
  });

  it('says whether it is a test', () => {
    expect(orderOf(paid({ payment: { test_order: true } })).test).toBe(true);
  });

  it('has a line for each part of a kit', () => {
    const items = [{ kit: true }, { merchant_item_id: null, manufacturer_sku: 'M-1', kit_component: true }];
    expect(orderOf(paid({}, items)).lines.map(({ candidates }) => candidates[0]?.value)).toEqual([
      'PAD-1',
      'M-1',
    ]);
  });
});

describe('a batch of UltraCart', () => {
  it('is checked event by event', () => {
    const body = sampleUltraCart(
      ['order_update', ultraCartOrder()],
      ['order_payment_process', ultraCartOrder({ order_id: 'DEMO-2' })],
      ['order_payment_process', ultraCartOrder({ order_id: 'DEMO-3' })],
    );
    expect(entriesOf(body).map((entry) => (entry.kind === 'order' ? entry.order.orderId : null))).toEqual([
      null,
      'ultracart:DEMO-2',
      'ultracart:DEMO-3',
    ]);
  });

  it('that announces creation and payment of an order contains it once', () => {
    const body = sampleUltraCart(
      ['order_create', ultraCartOrder()],
      ['order_payment_process', ultraCartOrder()],
    );
    expect(entriesOf(body).map(({ kind }) => kind)).toEqual(['order', 'ignored']);
    const stored = { bytes: body, headers: {} };
    expect(translateAgain(cartA, stored, 'ultracart:DEMO-0009000001')).toEqual(orderOf(paid()));
  });

  it('can be a bare list, as older versions send it', () => {
    const body = encode(JSON.stringify([{ order_payment_process: ultraCartOrder() }]));
    expect(orderOf(body)).toEqual(orderOf(paid()));
  });

  it('is not affected by other values', () => {
    const order = { order_payment_process: ultraCartOrder() };
    const body = encode(JSON.stringify({ events: [7, {}, { order_payment_process: {} }, order] }));
    expect(entriesOf(body)).toMatchObject([
      { kind: 'ignored', reason: 'An event of the batch is not an object.' },
      { kind: 'error', reason: 'The order has no id.' },
      { kind: 'order' },
    ]);
  });
});
