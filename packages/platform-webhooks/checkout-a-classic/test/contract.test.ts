import { oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { checkoutAClassic } from '../src/index.ts';
import { sampleForm, sampleOrder, signForTest } from '../src/testing.ts';

platformContract(
  { describe, it, expect },
  {
    platform: checkoutAClassic,
    signForTest: (secret) => ({ headers: signForTest(secret) }),
    signature: { in: 'headers', name: 'x-security-hash' },
    signsBody: false,
    vendorNames: {},
    completed: {
      body: sampleOrder(),
      headers: {},
      order: orderOfOneLine(
        {
          orderId: 'EXA261009-1234-56789',
          orderNumber: 'EXA261009-1234-56789',
          currency: 'EUR',
          total: '49.0',
        },
        { email: 'buyer@example.com', name: 'Noa Berg' },
        { candidates: ['sku PAD-1'], amount: '49.0', title: null },
      ),
    },
    irrelevant: {
      'an unknown event': { body: sampleForm({ OrderProductNames: undefined }), headers: {} },
      'a subscription': { body: sampleOrder({ orderId: 'EXA261009-1234-56789S' }), headers: {} },
      'no event at all': { body: new TextEncoder().encode('{}'), headers: {} },
    },
    withText: (text) => ({
      body: sampleOrder({ email: text, firstName: text, lastName: text, currency: text }, [
        { sku: text, productName: text, productPath: text },
      ]),
      headers: {},
    }),
    oddBodies: function* () {
      yield* oddJsonBodies(sampleOrder());
      for (const text of ODD_FORMS) yield new TextEncoder().encode(text);
    },
  },
);

const ODD_FORMS = [
  '=',
  '&&&=',
  'OrderID=1&items=x',
  'OrderID=1&items[]=x',
  'OrderID=1&items[0][sku]=x&items[0][sku][y]=z',
  'OrderID[]=1&OrderProductNames[a]=2',
  'OrderID=%&OrderProductNames=%ff%00',
  '__proto__[OrderID]=1&constructor=2&OrderProductNames=,;,',
  `OrderID=1&OrderProductNames=${encodeURIComponent('a,\n;'.repeat(5000))}`,
];
