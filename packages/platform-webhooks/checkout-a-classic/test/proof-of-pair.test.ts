import { describe, expect, it } from 'vitest';
import { checkoutAClassic } from '../src/index.ts';
import { sampleForm, signFormForTest, signForTest } from '../src/testing.ts';
import { KEY } from './receive-body.ts';

const REQUEST = {
  platform: 'checkout-a-classic',
  body: new Uint8Array(),
  headers: {},
  query: {},
  receivedAt: new Date(),
} as const;
const fingerprint = (request: Partial<Parameters<typeof checkoutAClassic.verify>[0]>) =>
  checkoutAClassic.proofOfOrigin?.fingerprint({ ...REQUEST, ...request });
const DATA = '1760000000475EXA-1-1zoë@example.com';

describe('the proof of a pair', () => {
  it('exists for a pair in headers and in a form', () => {
    const inHeaders = fingerprint({ headers: signForTest(KEY, DATA) });
    expect(fingerprint({ body: sampleForm(signFormForTest(KEY, DATA)) })).toBe(inHeaders);
    expect(inHeaders).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is independent of the spelling of the data’s bytes', () => {
    const { 'x-security-hash': hash } = signForTest(KEY, DATA);
    const asLatin1 = Buffer.from(DATA, 'utf8').toString('latin1');
    const respelled = { 'x-security-data': asLatin1, 'x-security-hash': hash };
    expect(fingerprint({ headers: respelled })).toBe(fingerprint({ headers: signForTest(KEY, DATA) }));
  });

  it('does not exist for half a pair', () => {
    expect(fingerprint({ headers: { 'x-security-data': DATA } })).toBe(null);
  });
});
