import {
  encode,
  oddJsonBodies,
  orderOfOneLine,
  type PlatformSpecimen,
  platformContract,
} from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { cartA } from '../src/index.ts';
import {
  sampleSamCart,
  sampleThriveCart,
  sampleUltraCart,
  signForTest,
  ultraCartOrder,
} from '../src/testing.ts';

const COMMON = {
  platform: cartA,
  signForTest: (secret: string) => ({ query: signForTest(secret) }),
  signature: { in: 'query', name: 'secret' },
  signsBody: false,
  vendorNames: {},
} as const;

const bare = (body: Uint8Array) => ({ body, headers: {} });

const SPECIMENS: Readonly<Record<string, Omit<PlatformSpecimen, keyof typeof COMMON>>> = {
  SamCart: {
    completed: {
      ...bare(sampleSamCart()),
      order: orderOfOneLine(
        { orderId: 'samcart:900401', orderNumber: '900401', currency: null, total: '49.00' },
        { email: 'ines@example.com', name: 'Ines Moor' },
        { candidates: ['sku PAD-1', 'vendor-id 700101'], amount: '49.00', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an unknown event': bare(sampleSamCart({ type: 'MoonRisen' })),
      'a refund': bare(sampleSamCart({ type: 'Refund' })),
      'no event at all': bare(encode('{}')),
    },
    withText: (text) => {
      const customer = { email: text, first_name: text, last_name: text };
      return bare(sampleSamCart({ customer }, [{ sku: text, internal_product_name: text, name: text }]));
    },
    oddBodies: () => oddJsonBodies(sampleSamCart()),
  },
  ThriveCart: {
    completed: {
      ...bare(sampleThriveCart()),
      order: orderOfOneLine(
        { orderId: 'thrivecart:900402', orderNumber: '77', currency: 'EUR', total: '49.00' },
        { email: 'ines@example.com', name: 'Ines Moor' },
        { candidates: ['sku product_12', 'sku product-12'], amount: '49.00', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an unknown event': bare(sampleThriveCart({ event: 'moon.risen' })),
      'a refund': bare(sampleThriveCart({ event: 'order.refund' })),
      'no event at all': bare(encode('thrivecart_account=example')),
    },
    withText: (text) =>
      bare(
        sampleThriveCart({
          currency: text,
          invoice_id: text,
          'customer[email]': text,
          'customer[name]': text,
          'order[charges][0][item_identifier]': text,
          'order[charges][0][name]': text,
        }),
      ),
    oddBodies: function* () {
      for (const odd of ODD_FORM_TEXTS) {
        yield sampleThriveCart({ 'order[charges]': odd });
        yield sampleThriveCart({ order: odd, customer: odd, [odd]: odd, [`order[${odd}]`]: odd });
      }
      const json = { event: 'order.success', order_id: 1, customer: { email: 'a@example.com', name: 'A' } };
      const order = { total: 4900, total_str: '49.00', charges: [{ item_identifier: 'a_1', amount: 4900 }] };
      yield* oddJsonBodies(encode(JSON.stringify({ ...json, order, purchase_map_flat: 'a-1,b-2' })));
    },
  },
  UltraCart: {
    completed: {
      ...bare(sampleUltraCart(['order_payment_process', ultraCartOrder()])),
      order: orderOfOneLine(
        {
          orderId: 'ultracart:DEMO-0009000001',
          orderNumber: 'DEMO-0009000001',
          currency: 'USD',
          total: '49',
        },
        { email: 'ines@example.com', name: 'Ines Moor' },
        { candidates: ['sku PAD-1'], amount: '49', title: 'Pads' },
      ),
    },
    irrelevant: {
      'an unknown event': bare(sampleUltraCart(['moon_risen', ultraCartOrder()])),
      'a refund': bare(sampleUltraCart(['order_refund', ultraCartOrder()])),
      'no event at all': bare(encode('{"events":[]}')),
    },
    withText: (text) => {
      const billing = { email: text, first_name: text, last_name: text, company: text };
      const items = [{ merchant_item_id: text, manufacturer_sku: text, description: text }];
      return bare(sampleUltraCart(['order_payment_process', ultraCartOrder({ billing }, items)]));
    },
    oddBodies: () => oddJsonBodies(sampleUltraCart(['order_payment_process', ultraCartOrder()])),
  },
};

const ODD_FORM_TEXTS = [
  '',
  ' ',
  '\0',
  '__proto__',
  'constructor',
  '][',
  '%',
  'x'.repeat(5000),
  '-1',
  '1e400',
];

for (const [vendor, specimen] of Object.entries(SPECIMENS)) {
  describe(vendor, () => {
    platformContract({ describe, it, expect }, { ...COMMON, ...specimen });
  });
}
