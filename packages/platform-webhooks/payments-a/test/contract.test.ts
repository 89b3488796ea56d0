import { encode, oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { paymentsA } from '../src/index.ts';
import { sampleEvent, sampleLineItem, signForTest } from '../src/testing.ts';

const headers = {};

platformContract(
  { describe, it, expect },
  {
    platform: paymentsA,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'payments-a-signature' },
    signsBody: true,
    vendorNames: { 'payments-a-signature': 'stripe-signature' },
    completed: {
      body: sampleEvent(),
      headers,
      order: orderOfOneLine(
        { orderId: 'cs_live_b1', orderNumber: 'pi_9', currency: 'EUR', total: '49.00' },
        { email: 'yu@example.com', name: 'Yu Sato' },
        { candidates: ['sku PAD-1'], amount: '49.00', title: null },
      ),
    },
    irrelevant: {
      'an unknown event': { body: sampleEvent({}, { type: 'moon.risen' }), headers },
      'an unpaid session': { body: sampleEvent({ payment_status: 'unpaid' }), headers },
      'the payment of a session': {
        body: encode(
          '{"object":"event","type":"payment_intent.succeeded","data":{"object":{"id":"pi_9","amount":4900}}}',
        ),
        headers,
      },
    },
    withText: (text) => ({
      body: sampleEvent({
        payment_intent: text,
        currency: text,
        customer_details: { email: text, name: text },
        metadata: { sku: text },
        line_items: { data: [sampleLineItem({ description: text }, { lookup_key: text })] },
      }),
      headers,
    }),
    *oddBodies() {
      yield* oddJsonBodies(sampleEvent());
      const product = { id: 'prod_1', metadata: { sku: 'PAD-1' } };
      const line_items = { data: [sampleLineItem({}, { product })], has_more: false };
      yield* oddJsonBodies(sampleEvent({ metadata: {}, line_items }));
    },
  },
);
