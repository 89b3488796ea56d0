import { readFileSync } from 'node:fs';
import { signHmac } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleOrder } from '../src/testing.ts';
import { entryOf, orderIn, receiveSigned, SECRET } from './receive-body.ts';

const readFixture = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

describe('a captured delivery of Shopify', () => {
  it.each(['shopify-', 'x-shopify-', 'storefront-a-', 'x-storefront-a-'])(
    'is verified and read under %s',
    (prefix) => {
      const body = sampleOrder({ financial_status: undefined });
      const headers = {
        [`${prefix}hmac-sha256`]: signHmac(SECRET, body, 'base64'),
        [`${prefix}topic`]: 'orders/create',
      };
      // Without a state, only the topic says that the order may not be paid.
      expect(receiveSigned({ body, headers, query: {} })).toMatchObject({
        kind: 'translated',
        entries: [{ kind: 'ignored', reason: 'The body does not say that the order is paid.' }],
      });
      const forged = { ...headers, [`${prefix}hmac-sha256`]: signHmac('other', body, 'base64') };
      expect(receiveSigned({ body, headers: forged, query: {} }).kind).toBe('refused');
    },
  );

  it('in the newer event format is an error that names the webhook to choose', () => {
    const body = readFixture('newer-event.json');
    const headers = {
      'shopify-hmac-sha256': signHmac(SECRET, body, 'base64'),
      'shopify-topic': 'Order',
      'shopify-action': 'update',
      'shopify-handle': 'paid-orders',
    };
    const entries = [
      {
        kind: 'error',
        orderId: '9007199254741093',
        reason:
          'This is one of the newer events, which name what changed and bring no order. ' +
          'Choose the webhook “Order payment” (topic orders/paid) in the format JSON, with all fields.',
      },
    ];
    expect(receiveSigned({ body, headers, query: {} })).toMatchObject({ kind: 'translated', entries });
  });

  it.each([
    ['without what changed', { handle: 'new-orders', fields_changed: null, query_variables: null }],
    ['with data that has an id', { id: '1', data: { order: { id: 'gid://shopify/Order/99' } } }],
  ])('in the newer event format is an error even %s', (_case, members) => {
    const body = encode(JSON.stringify({ topic: 'Order', action: 'create', ...members }));
    for (const topic of [null, 'Order']) {
      expect(entryOf(body, topic)).toMatchObject({
        kind: 'error',
        reason: expect.stringContaining('Choose the webhook “Order payment”'),
      });
    }
  });

  it('delivers the parts of a bundle, and keeps ids beyond 2^53', () => {
    const order = orderIn(readFixture('bundle-order.json'));
    expect(order.orderId).toBe('9007199254741093');
    expect(
      order.lines.map(({ candidates, amount }) => [amount, ...candidates.map(({ value }) => value)]),
    ).toEqual([
      ['44.10', 'PAD-1', '9007199254741101', '9'],
      ['49.00', '9007199254741102', '10'],
    ]);
  });

  it.each([
    ['orders/paid', { id: 5001, name: '#1001' }, 'error'],
    ['orders/create', { id: 5001, financial_status: 'paid' }, 'error'],
    [null, { id: 5001, financial_status: 'paid' }, 'error'],
    ['orders/create', { id: 5001, financial_status: 'pending' }, 'ignored'],
    ['orders/create', { id: 5001 }, 'ignored'],
    ['orders/paid', { id: 5001, cancelled_at: '2026-10-09T10:00:00Z' }, 'ignored'],
  ] as const)('under %s with the fields %o alone is an %s', (topic, fields, kind) => {
    expect(entryOf(encode(JSON.stringify(fields)), topic).kind).toBe(kind);
  });
});
