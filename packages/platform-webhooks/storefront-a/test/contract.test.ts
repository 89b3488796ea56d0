import { encode, oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { storefrontA } from '../src/index.ts';
import { sampleOrder, signForTest } from '../src/testing.ts';

const PAID = { 'x-storefront-a-topic': 'orders/paid' };

platformContract(
  { describe, it, expect },
  {
    platform: storefrontA,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'x-storefront-a-hmac-sha256' },
    signsBody: true,
    vendorNames: {
      'x-storefront-a-hmac-sha256': 'x-shopify-hmac-sha256',
      'x-storefront-a-topic': 'x-shopify-topic',
    },
    completed: {
      body: sampleOrder(),
      headers: PAID,
      order: orderOfOneLine(
        { orderId: '5001', orderNumber: '#1001', currency: 'EUR', total: '49.00' },
        { email: 'ana@example.com', name: 'Ana Lima' },
        { candidates: ['sku PAD-1', 'vendor-id 808', 'vendor-id 632'], amount: '49.00', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an unknown event': { body: encode('{"id":1}'), headers: { 'x-storefront-a-topic': 'moons/risen' } },
      'a refund': {
        body: encode('{"id":1,"order_id":5001,"refund_line_items":[]}'),
        headers: { 'x-storefront-a-topic': 'refunds/create' },
      },
      'no event at all': { body: encode('{}'), headers: {} },
    },
    withText: (text) => ({
      body: sampleOrder(
        {
          name: text,
          email: text,
          contact_email: text,
          currency: text,
          customer: { email: text, first_name: text, last_name: text },
        },
        [{ sku: text, title: text, name: text }],
      ),
      headers: PAID,
    }),
    oddBodies: () => oddJsonBodies(sampleOrder({}, [{ discount_allocations: [{ amount: '4.90' }] }])),
  },
);
