import { encode, oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { gumtree, signForTest } from '../src/index.ts';

const COMPLETED = {
  order: '7001',
  state: 'paid',
  currency: 'EUR',
  total: '49.00',
  buyer: { email: 'ana@example.com', name: 'Ana Lima' },
  items: [{ sku: 'PAD-1', title: 'Pads', count: 1, price: '49.00' }],
};
const vary = (changes: object) => encode(JSON.stringify({ ...COMPLETED, ...changes }));

platformContract(
  { describe, it, expect },
  {
    platform: gumtree,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'x-gumtree-signature' },
    signsBody: true,
    vendorNames: {},
    completed: {
      body: vary({}),
      headers: {},
      order: orderOfOneLine(
        { orderId: '7001', orderNumber: '7001', currency: 'EUR', total: '49.00' },
        { email: 'ana@example.com', name: 'Ana Lima' },
        { candidates: ['sku PAD-1'], amount: '49.00', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an order that is still to be paid': { body: vary({ state: 'placed' }), headers: {} },
      'an unknown event': { body: encode('{"state":"moon.risen"}'), headers: {} },
    },
    withText: (text) => ({
      body: vary({
        buyer: { email: text, name: text },
        items: [{ sku: text, title: text, count: 1, price: '49.00' }],
      }),
      headers: {},
    }),
    oddBodies: () => oddJsonBodies(vary({})),
  },
);
