import { signHmac } from '@handover/platform-contract';
import { describe, expect, it } from 'vitest';
import { signForTest } from '../src/testing.ts';
import { verify } from '../src/verify.ts';

const BODY = new TextEncoder().encode('{"id":1}');
const STAMP = 1_700_000_000;
// Computed once, outside this code base.
const KNOWN = '2f441ba4b3b2d50d28a9ab9d9fd8880376ecd1eb5d0435401553f5d8d0a5dcf8';
const WRONG = 'a'.repeat(64);
const MALFORMED = 'The signature is not in the form that this platform uses.';
const NONE_FITS = 'The signature fits none of the secrets that are set up.';

function verifyHeader(header: string, { secrets = ['whsec_test'], now = STAMP * 1000, body = BODY } = {}) {
  const headers = { 'stripe-signature': header };
  const inbound = { platform: 'payments-a', body, headers, query: {} } as const;
  const connections = [{ id: 'service', secrets }];
  return verify({ ...inbound, receivedAt: new Date(0) }, connections, new Date(now));
}

function reasonOf(header: string, options?: Parameters<typeof verifyHeader>[1]): string {
  const verification = verifyHeader(header, options);
  return verification.kind === 'refused' ? verification.reason : verification.kind;
}

describe('the signature of payments-a', () => {
  it('matches the known vector', () => {
    expect(verifyHeader(`t=${STAMP},v1=${KNOWN}`)).toEqual({ kind: 'verified', connectionId: 'service' });
  });

  it('is keyed with the whole secret, including its prefix', () => {
    expect(verifyHeader(`t=${STAMP},v1=${KNOWN}`, { secrets: ['test'] }).kind).toBe('refused');
  });

  it.each([
    ['the first of several', `t=${STAMP},v1=${KNOWN},v1=${WRONG}`],
    ['the last of several', `t=${STAMP},v1=${WRONG},v1=${WRONG},v1=${KNOWN}`],
    ['beside one of test mode', `t=${STAMP},v1=${KNOWN},v0=${WRONG}`],
    ['beside a scheme to come', `v2=abc/+==,t=${STAMP},v1=${KNOWN}`],
    ['before the timestamp', `v1=${KNOWN},t=${STAMP}`],
    ['before blanks', `t=${STAMP} ,v1=${KNOWN} ,v0=x`],
    ['after blanks', ` t=${STAMP}, v1=${KNOWN} `],
  ])('can be %s', (_case, header) => {
    expect(verifyHeader(header).kind).toBe('verified');
  });

  it('can use either secret during a rotation', () => {
    const header = `t=${STAMP},v1=${KNOWN}`;
    expect(verifyHeader(header, { secrets: ['whsec_new', 'whsec_test'] }).kind).toBe('verified');
    expect(verifyHeader(header, { secrets: ['whsec_test', 'whsec_new'] }).kind).toBe('verified');
    expect(verifyHeader(header, { secrets: ['whsec_new'] }).kind).toBe('refused');
  });

  it.each([
    ['of test mode only', `t=${STAMP},v0=${KNOWN}`, 'The signature header holds no v1 signature.'],
    ['without a timestamp', `v1=${KNOWN}`, 'The signature header holds no timestamp.'],
    [
      'with two timestamps',
      `t=${STAMP},t=${STAMP},v1=${KNOWN}`,
      'The signature header holds several timestamps.',
    ],
    ['with a timestamp in other words', `t=+${STAMP},v1=${KNOWN}`, MALFORMED],
    ['with a timestamp of nothing', `t=,v1=${KNOWN}`, MALFORMED],
    ['with an endless timestamp', `t=${'9'.repeat(400)},v1=${KNOWN}`, MALFORMED],
    ['in upper case', `t=${STAMP},v1=${KNOWN.toUpperCase()}`, MALFORMED],
    ['cut short', `t=${STAMP},v1=${KNOWN.slice(0, 63)}`, MALFORMED],
    ['with more before it', `t=${STAMP},v1=0${KNOWN}`, MALFORMED],
    ['with more behind it', `t=${STAMP},v1=${KNOWN}0`, MALFORMED],
    ['with a word before its scheme', `t=${STAMP},my v1=${KNOWN}`, MALFORMED],
    ['with a word behind it', `v1=${KNOWN} tail,t=${STAMP}`, MALFORMED],
    ['beside half a one', `t=${STAMP},v1=${KNOWN},v1=abc`, MALFORMED],
    ['without any scheme', KNOWN, MALFORMED],
    ['in base64', `t=${STAMP},v1=${Buffer.from(KNOWN, 'hex').toString('base64')}`, MALFORMED],
    ['of the body alone', `t=${STAMP},v1=${signHmac('whsec_test', BODY, 'hex')}`, NONE_FITS],
    ['of another time', `t=${STAMP + 1},v1=${KNOWN}`, NONE_FITS],
    ['of another body', `t=${STAMP},v1=${WRONG}`, NONE_FITS],
  ])('%s is refused', (_case, header, reason) => {
    expect(reasonOf(header)).toBe(reason);
  });

  it('is read from our neutral header too', () => {
    const headers = { 'payments-a-signature': `t=${STAMP},v1=${KNOWN}` };
    const inbound = { platform: 'payments-a', body: BODY, headers, query: {} } as const;
    const connections = [{ id: 'service', secrets: ['whsec_test'] }];
    const now = new Date(STAMP * 1000);
    expect(verify({ ...inbound, receivedAt: now }, connections, now).kind).toBe('verified');
  });

  it('is refused with a reason when it is missing', () => {
    const inbound = { platform: 'payments-a', body: BODY, headers: {}, query: {} } as const;
    const connections = [{ id: 'service', secrets: ['whsec_test'] }];
    expect(verify({ ...inbound, receivedAt: new Date(0) }, connections, new Date(0))).toEqual({
      kind: 'refused',
      reason: 'The signature is missing.',
    });
  });

  it('with an empty key is refused, even if it matches', () => {
    const header = signForTest('', BODY, new Date(STAMP * 1000))['payments-a-signature'] ?? '';
    expect(reasonOf(header, { secrets: [''] })).toBe('No secret is set up for this platform.');
  });
});

describe('the timestamp of payments-a', () => {
  const OLD = 'The signature is more than five minutes old.';
  const AHEAD = 'The signature is dated more than five minutes ahead of our clock.';

  it.each([
    ['now', 0, 'verified'],
    ['five minutes ago', 300, 'verified'],
    ['a moment longer ago', 301, OLD],
    ['a day ago', 86_400, OLD],
    ['five minutes ahead', -300, 'verified'],
    ['a moment further ahead', -301, AHEAD],
    ['a day ahead', -86_400, AHEAD],
  ])('can be %s, or not', (_case, age, expected) => {
    const now = (STAMP + age) * 1000;
    expect(reasonOf(`t=${STAMP},v1=${KNOWN}`, { now })).toBe(expected);
  });

  it('is checked only where the signature is genuine', () => {
    expect(reasonOf(`t=${STAMP},v1=${WRONG}`, { now: 0 })).toBe(NONE_FITS);
  });

  it('is the time of the signer’s clock', () => {
    const header = signForTest('whsec_test', BODY, new Date(STAMP * 1000 + 999))['payments-a-signature'];
    expect(header).toBe(`t=${STAMP},v1=${KNOWN}`);
  });
});
