import { encode } from '@handover/platform-contract/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTenantRef } from '../src/index.ts';
import { sampleEvent, signedSample } from '../src/testing.ts';
import { entryOf, orderOf, receiveBody, receiveSigned, SECRET } from './receive-body.ts';

describe('an order of payments-a', () => {
  it('can be as small as this', () => {
    const body = encode(
      '{"id":"evt_1","object":"event","type":"checkout.session.completed","livemode":true,' +
        '"data":{"object":{"id":"cs_1","object":"checkout.session","mode":"payment","payment_status":"paid",' +
        '"amount_total":4900,"currency":"eur","customer_details":{"email":"a@example.com","name":"A B"},' +
        '"metadata":{"org_id":"org_7","sku":"PAD-1"},"client_reference_id":"ord-81"}}}',
    );
    expect(entryOf(body)).toEqual({
      kind: 'order',
      order: {
        orderId: 'cs_1',
        orderNumber: 'cs_1',
        customer: { email: 'a@example.com', name: 'A B' },
        currency: 'EUR',
        total: '49.00',
        lines: [{ candidates: [{ kind: 'sku', value: 'PAD-1' }], quantity: 1, amount: '49.00', title: null }],
        test: false,
        notes: [],
      },
    });
  });

  it.each([
    ['its payment', { payment_intent: 'pi_9', invoice: 'in_8' }, 'pi_9'],
    ['its invoice where there is no payment', { payment_intent: null, invoice: 'in_8' }, 'in_8'],
    ['its own id where there is neither', { payment_intent: null, invoice: null }, 'cs_live_b1'],
  ])('shows %s to people', (_case, changes, expected) => {
    expect(orderOf(changes).orderNumber).toBe(expected);
  });

  it.each([
    [
      'the details',
      { customer_details: { email: ' A@Example.com ' }, customer_email: 'b@example.com' },
      'A@Example.com',
    ],
    [
      'customer_email',
      { customer_details: { email: null }, customer_email: 'b@example.com' },
      'b@example.com',
    ],
    ['nowhere', { customer_details: null, customer_email: null }, null],
  ])('takes the e-mail address from %s', (_case, changes, expected) => {
    expect(orderOf(changes).customer.email).toBe(expected);
  });

  it.each([
    ['the name', { name: 'A', individual_name: 'B', business_name: 'C' }, 'A'],
    ["the person's name", { name: null, individual_name: 'B', business_name: 'C' }, 'B'],
    ["the business's name", { name: ' ', business_name: 'C' }, 'C'],
    ['nowhere', { name: null }, null],
  ])('takes the name from %s', (_case, customer_details, expected) => {
    expect(orderOf({ customer_details }).customer.name).toBe(expected);
  });

  it('says whether it is a test', () => {
    expect(orderOf({}, { livemode: false }).test).toBe(true);
    expect(orderOf({}, { livemode: undefined }).test).toBe(false);
  });

  it('has no decimals where its currency has none', () => {
    const order = orderOf({ currency: 'jpy', amount_total: 980, metadata: { skus: 'PAD-1, KEYS-2' } });
    expect(order).toMatchObject({ currency: 'JPY', total: '980', notes: [] });
    expect(order.lines.map(({ amount }) => amount)).toEqual(['980', '0']);
  });

  it('can be free', () => {
    const free = { payment_status: 'no_payment_required', amount_total: 0, payment_intent: null };
    expect(orderOf(free)).toMatchObject({ orderNumber: 'cs_live_b1', total: '0.00', notes: [] });
  });

  it.each([
    ['no total', { amount_total: null }, null, ['The order names no readable total.']],
    ['a total that is not a number', { amount_total: 'much' }, null, ['The order names no readable total.']],
    [
      'no currency',
      { currency: null },
      '49.00',
      ['The session names no currency: its amounts were read as hundredths.'],
    ],
    [
      'an unknown currency',
      { currency: 'zzz' },
      '49.00',
      ['ZZZ is not the code of a currency in circulation.'],
    ],
    [
      'a fraction of what its currency has',
      { currency: 'isk', amount_total: 550 },
      '5.50',
      [
        'The total 5.50 has more decimals than ISK has.',
        'Line 1: the amount 5.50 has more decimals than ISK has.',
      ],
    ],
  ])('with %s is still an order, with a note', (_case, changes, total, notes) => {
    expect(orderOf(changes)).toMatchObject({ total, notes });
  });

  it('never crashes the platform, whatever JSON the members of its session are', () => {
    const name = fc.constantFrom(
      'id',
      'metadata',
      'line_items',
      'amount_total',
      'currency',
      'customer_details',
      'mode',
    );
    const session = fc.dictionary(name, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(session, (changes) => {
        expect(receiveBody(sampleEvent(changes))).not.toHaveProperty('cause');
      }),
    );
  });
});

describe('a sample of payments-a', () => {
  const SALE = { orderId: '727', email: 'b@example.com', sku: 'KEYS-2', orgId: 'org-7' };

  function receiveSample(sale: typeof SALE & { readonly unpaid?: boolean }) {
    // A sample is stamped with the time it is made.
    return receiveSigned(signedSample(SECRET, sale), new Date());
  }

  it('is a genuine delivery of the given sale', () => {
    expect(receiveSample(SALE)).toMatchObject({
      kind: 'translated',
      entries: [
        {
          order: {
            orderId: 'cs_test_727',
            customer: { email: 'b@example.com' },
            lines: [{ candidates: [{ value: 'KEYS-2' }] }],
          },
        },
      ],
    });
  });

  it('names the given organisation, if any', () => {
    const { orgId, ...homeless } = SALE;
    expect(readTenantRef(signedSample(SECRET, SALE).body)).toEqual({ kind: 'organisation', orgId });
    expect(readTenantRef(signedSample(SECRET, homeless).body).kind).toBe('nobody');
  });

  it('can be unpaid', () => {
    expect(receiveSample({ ...SALE, unpaid: true })).toMatchObject({
      entries: [{ kind: 'ignored', orderId: 'cs_test_727' }],
    });
  });
});
