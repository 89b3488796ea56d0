import { readFileSync } from 'node:fs';
import { encode, oddJsonBodies, orderOfOneLine, platformContract } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { newPlatform } from '../src/index.ts';
import { signForTest } from '../src/testing.ts';

const COMPLETED = readFileSync(new URL('fixtures/completed-order.json', import.meta.url), 'utf8');

/** The completed order with other members at its top. */
const vary = (changes: Readonly<Record<string, unknown>>) =>
  encode(JSON.stringify({ ...JSON.parse(COMPLETED), ...changes }));

it('the fixture is a body of the vendor', () => {
  expect(JSON.parse(COMPLETED).replace).toBeUndefined();
});

platformContract(
  { describe, it, expect },
  {
    platform: newPlatform,
    signForTest: (secret, body) => ({ headers: signForTest(secret, body) }),
    signature: { in: 'headers', name: 'x-new-platform-signature' },
    signsBody: true,
    // Our neutral header names, each with the vendor's own.
    vendorNames: {},
    completed: {
      body: encode(COMPLETED),
      headers: {},
      // What must become of the fixture.
      order: orderOfOneLine(
        { orderId: '1001', orderNumber: '1001', currency: 'EUR', total: '49.00' },
        { email: 'ana@example.com', name: 'Ana Lima' },
        { candidates: ['sku PAD-1'], amount: '49.00', title: 'Pads' },
      ),
    },
    // What else the vendor sends: refunds, cancellations, orders that are not paid.
    irrelevant: {
      'an unknown event': { body: encode('{"event":"moon.risen"}'), headers: {} },
      'no event at all': { body: encode('{}'), headers: {} },
    },
    // Every free text of the payload: names, e-mail, SKUs, titles.
    withText: (text) => ({ body: vary({ items: [{ sku: text, quantity: '1' }] }), headers: {} }),
    oddBodies: () => oddJsonBodies(encode(COMPLETED)),
  },
);
