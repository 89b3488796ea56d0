import { isPing } from '@handover/platform-contract';
import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { storefrontB } from '../src/index.ts';
import { sampleOrder } from '../src/testing.ts';

const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'WooCommerce/9.4.1 Hookshot',
};

describe('the ping of storefront-b', () => {
  it.each(['webhook_id=1', 'webhook_id=0', 'webhook_id=98765432109876543210'])('is %s', (text) => {
    expect(isPing(storefrontB, { body: encode(text), headers: FORM })).toBe(true);
  });

  it.each([
    '',
    'webhook_id=',
    'webhook_id=1&order=5',
    'webhook_id=1\n',
    ' webhook_id=1',
    'webhook_id=-1',
    'webhook_id=१',
    `webhook_id=${'1'.repeat(40)}`,
    'id=1',
    '{"webhook_id":1}',
  ])('is not %j', (text) => {
    expect(isPing(storefrontB, { body: encode(text), headers: FORM })).toBe(false);
  });

  it.each([
    'x-storefront-b-webhook-signature',
    'x-wc-webhook-signature',
    'x-storefront-b-webhook-topic',
    'x-wc-webhook-topic',
  ])('is not recognised with a header %s', (name) => {
    const body = encode('webhook_id=1');
    expect(isPing(storefrontB, { body, headers: { ...FORM, [name]: 'x' } })).toBe(false);
    expect(isPing(storefrontB, { body, headers: { ...FORM, [name]: [] } })).toBe(false);
  });

  it('is not an order', () => {
    expect(isPing(storefrontB, { body: sampleOrder(), headers: {} })).toBe(false);
  });
});
