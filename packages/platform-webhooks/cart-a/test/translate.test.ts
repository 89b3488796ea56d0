import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  sampleSamCart,
  sampleThriveCart,
  sampleUltraCart,
  signedSample,
  ultraCartOrder,
} from '../src/testing.ts';
import { entriesOf, receiveBody, receiveSigned, SECRET } from './receive-body.ts';

describe('the vendor of a body', () => {
  it.each([
    ['SamCart', sampleSamCart(), 'samcart:900401'],
    ['ThriveCart', sampleThriveCart(), 'thrivecart:900402'],
    ['UltraCart', sampleUltraCart(['order_create', ultraCartOrder()]), 'ultracart:DEMO-0009000001'],
  ])('is recognised by its shape: %s', (_vendor, body, orderId) => {
    expect(entriesOf(body)).toMatchObject([{ kind: 'order', order: { orderId } }]);
  });
});

describe('the id and the number of an order of ThriveCart', () => {
  it.each([
    ['beside the order', { order_id: 900402, invoice_id: '77', order: { id: 5, invoice_id: '6' } }],
    ['in the order', { order: { id: 900402, invoice_id: '77' } }],
  ])('can be %s', (_case, members) => {
    const bought = { customer: { email: 'i@example.com' }, purchase_map_flat: 'product-12' };
    const body = { event: 'order_created', ...bought, ...members };
    expect(entriesOf(encode(JSON.stringify(body)))).toMatchObject([
      { kind: 'order', order: { orderId: 'thrivecart:900402', orderNumber: '77' } },
    ]);
    expect(entriesOf(encode(JSON.stringify({ ...body, event: 'order_refund_upsell' })))).toMatchObject([
      { kind: 'ignored', orderId: 'thrivecart:900402', isRefunded: true },
    ]);
  });
});

describe('a test of the address', () => {
  it.each(['', ' \r\n', '{}'])('with the body "%s" has no effect', (text) => {
    expect(entriesOf(encode(text))).toEqual([
      { kind: 'ignored', orderId: null, reason: 'The body is empty: this was only a try of the address.' },
    ]);
  });

  it.each(['event=&mode=test', 'thrivecart_secret=x', 'hello=world', '{"type":null}', '[]', '[null]'])(
    'with the body %s has none either',
    (text) => {
      expect(entriesOf(encode(text)).map(({ kind }) => kind)).toEqual(['ignored']);
    },
  );

  it('needs the secret', () => {
    expect(receiveBody(encode(''), {}).kind).toBe('refused');
  });
});

describe('a body that cart-a never sends', () => {
  it.each([
    ['"paid"', 'The body is neither a JSON object nor a form.'],
    ['null', 'The body is neither a JSON object nor a form.'],
    ['{"type":"Order"', 'The body is not valid JSON.'],
    ['hello', 'The body is not valid JSON.'],
    [`[${'{"a":1,"b":2},'.repeat(600)}{}]`, 'The batch holds more than 250 events.'],
    ['<order/>', "The body is XML, not JSON: choose JSON as the webhook's format."],
    [`a${'[b]'.repeat(20)}=1`, "The form's names are nested too deeply."],
  ])('%s is unreadable', (text, problem) => {
    expect(receiveBody(encode(text))).toEqual({ kind: 'unreadable', connectionId: 'main', problem });
  });

  it('never crashes the platform, whatever its members are', () => {
    const members = fc.dictionary(
      fc.constantFrom(
        'type',
        'event',
        'events',
        'order',
        'order_id',
        'product',
        'products',
        'purchase_map_flat',
      ),
      fc.jsonValue({ maxDepth: 4 }),
    );
    fc.assert(
      fc.property(members, (changes) => {
        expect(receiveBody(sampleSamCart(changes))).not.toHaveProperty('cause');
      }),
    );
  });
});

describe('a sample of cart-a', () => {
  it('is a genuine delivery of the given sale', () => {
    const sample = signedSample(SECRET, { orderId: '727', email: 'b@example.com', sku: 'KEYS-2' });
    expect(receiveSigned(sample)).toMatchObject({
      entries: [{ order: { orderId: 'samcart:727', customer: { email: 'b@example.com' } } }],
    });
    expect(new TextDecoder().decode(sample.body)).toContain('"id":727,');
  });
});
