import { encode, oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { storefrontB } from '../src/index.ts';
import { sampleOrder, signForTest } from '../src/testing.ts';

const UPDATED = { 'x-storefront-b-webhook-topic': 'order.updated' };

platformContract(
  { describe, it, expect },
  {
    platform: storefrontB,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'x-storefront-b-webhook-signature' },
    signsBody: true,
    vendorNames: {
      'x-storefront-b-webhook-signature': 'x-wc-webhook-signature',
      'x-storefront-b-webhook-topic': 'x-wc-webhook-topic',
    },
    completed: {
      body: sampleOrder(),
      headers: UPDATED,
      order: orderOfOneLine(
        { orderId: '727', orderNumber: '727', currency: 'EUR', total: '58.80' },
        { email: 'mia@example.com', name: 'Mia Kern' },
        { candidates: ['sku PAD-1', 'vendor-id 94', 'vendor-id 93'], amount: '49.00', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an unknown event': {
        body: encode('{"id":1}'),
        headers: { 'x-storefront-b-webhook-topic': 'moon.risen' },
      },
      'a deletion': {
        body: encode('{"id":727}'),
        headers: { 'x-storefront-b-webhook-topic': 'order.deleted' },
      },
      'no event at all': { body: encode('{}'), headers: {} },
    },
    ping: {
      body: encode('webhook_id=12'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    withText: (text) => ({
      body: sampleOrder(
        {
          number: text,
          currency: text,
          billing: { email: text, first_name: text, last_name: text, company: text },
        },
        [{ sku: text, name: text }],
      ),
      headers: UPDATED,
    }),
    oddBodies: () => oddJsonBodies(sampleOrder()),
  },
);
