import { oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { checkoutA } from '../src/index.ts';
import { sampleBatch, sampleEvent, sampleOrder, signForTest } from '../src/testing.ts';

const one = (changes: Readonly<Record<string, unknown>>) => ({
  body: sampleBatch([sampleEvent(changes)]),
  headers: {},
});

platformContract(
  { describe, it, expect },
  {
    platform: checkoutA,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'x-checkout-a-signature' },
    signsBody: true,
    vendorNames: { 'x-checkout-a-signature': 'x-fs-signature' },
    completed: {
      body: sampleBatch([sampleEvent()]),
      headers: {},
      order: {
        ...orderOfOneLine(
          {
            orderId: 'ExampleOrderId0000001A',
            orderNumber: 'EXA261009-7104-00011',
            currency: 'EUR',
            total: '29.4',
          },
          { email: 'lena@example.com', name: 'Lena Orth' },
          { candidates: ['sku PAD-1', 'sku pads'], amount: '24.5', title: 'Pads' },
        ),
        language: 'en',
      },
    },
    irrelevant: {
      'an unknown event': one({ type: 'moon.risen' }),
      'a return': one({ type: 'return.created', data: { return: 'r1', original: { id: 'o1' } } }),
      'no event at all': { body: sampleBatch([]), headers: {} },
    },
    withText: (text) => {
      const person = { first: text, last: text, email: text, company: text };
      const order = {
        reference: text,
        currency: text,
        customer: person,
        account: { contact: person },
        recipients: [{ recipient: person }],
      };
      return one({ data: sampleOrder(order, [{ sku: text, product: text, display: text }]) });
    },
    oddBodies: () => oddJsonBodies(sampleBatch([sampleEvent()])),
  },
);
