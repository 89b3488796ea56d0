import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleForm, sampleOrder, signFormForTest, signForTest } from '../src/testing.ts';
import { hasPairInForm, PAIR_HEADERS } from '../src/verify.ts';
import { KEY, receiveBody } from './receive-body.ts';

const DATA = '1760000000475EXA261009-1234-56789buyer@example.com1760000000458';
// Computed once, outside this code base.
const HASH = '93ab9dc622e7c0ce087832791cdcfb68';
const SUBSCRIPTION = {
  'x-security-data': '1760000000475EXA261009-1234-56789S',
  'x-security-hash': 'cc52ffb88c2cadb3e2851472aa9796b3',
};
const BODY = sampleOrder();
const NO_DATA = 'The security data is missing.';
const NO_HASH = 'The signature is missing.';
const MALFORMED = 'The security hash is not in the form that this platform uses.';
const NONE_FITS = 'The signature fits none of the secrets that are set up.';
const signed = { 'x-security-data': DATA, 'x-security-hash': HASH };

describe('the security pair of checkout-a-classic', () => {
  it.each([
    ['of an order', signed],
    ['of a subscription', SUBSCRIPTION],
  ])('%s matches the known vector', (_case, headers) => {
    expect(receiveBody(BODY, headers).kind).toBe('translated');
  });

  it('matches the known vector in the form', () => {
    const text =
      'OrderReferrer=&OrderIsTest=false&OrderID=EXA261009-1234-56789&OrderProductNames=PAD-1' +
      '&OrderSubTotalUSD=49.0&CustomerEmail=buyer%40example.com' +
      '&security_data=1760000000475EXA261009-1234-56789buyer%40example.com1760000000458' +
      `&security_hash=${HASH}`;
    expect(receiveBody(encode(text), {})).toMatchObject({ entries: [{ kind: 'order' }] });
  });

  it.each([
    ['no data', { 'x-security-hash': HASH }, NO_DATA],
    ['no hash', { 'x-security-data': DATA }, NO_HASH],
    ['blank data', { ...signed, 'x-security-data': ' ' }, NO_DATA],
    ['data twice', { ...signed, 'x-security-data': [DATA, DATA] }, 'The security data came more than once.'],
    ['an upper case hash', { ...signed, 'x-security-hash': HASH.toUpperCase() }, MALFORMED],
    ['a hash with more before it', { ...signed, 'x-security-hash': `0${HASH}` }, MALFORMED],
    ['a hash with more behind it', { ...signed, 'x-security-hash': `${HASH}0` }, MALFORMED],
    ['the data of another', { ...signed, 'x-security-data': SUBSCRIPTION['x-security-data'] }, NONE_FITS],
  ])('with %s is refused, even if the form contains a valid one', (_case, headers, reason) => {
    expect(receiveBody(sampleForm(signFormForTest(KEY)), headers)).toEqual({ kind: 'refused', reason });
  });

  it('in the form is refused when half of it is missing or repeated', () => {
    const pair = new URLSearchParams({ security_data: DATA, security_hash: HASH }).toString();
    const refused = [
      [`OrderID=1&security_data=${encodeURIComponent(DATA)}`, NO_HASH],
      [`OrderID=1&security_hash=${HASH}`, NO_DATA],
      [`${pair}&${pair}`, 'The security data came more than once.'],
      [`${pair}&security_hash=${HASH}`, 'The signature header came more than once.'],
      [`${pair}&security_data=`, 'The security data came more than once.'],
      [`{"security_data":"${DATA}","security_hash":"${HASH}"}`, NO_DATA],
      ['', NO_DATA],
      [`${pair}&${'a=1&'.repeat(2000)}`, NO_DATA],
    ] as const;
    for (const [text, reason] of refused) {
      expect(receiveBody(encode(text), {})).toEqual({ kind: 'refused', reason });
      expect(hasPairInForm(encode(text))).toBe(false);
    }
    expect(hasPairInForm(encode(pair))).toBe(true);
  });

  it('in the headers is enough, whatever the form contains', () => {
    const body = sampleForm({ security_data: 'x', security_hash: 'y' });
    expect(receiveBody(body, signed).kind).toBe('translated');
  });

  it('can contain any text', () => {
    expect(receiveBody(BODY, signForTest(KEY, 'not what the vendor documents')).kind).toBe('translated');
  });

  it('covers UTF-8, also where the header was read as Latin-1', () => {
    const headers = signForTest(KEY, 'zoë@example.com');
    const asLatin1 = Buffer.from('zoë@example.com').toString('latin1');
    expect(receiveBody(BODY, headers).kind).toBe('translated');
    expect(receiveBody(BODY, { ...headers, 'x-security-data': asLatin1 }).kind).toBe('translated');
  });

  it('covers only UTF-8 where the data cannot be Latin-1', () => {
    const data = 'łukasz@example.com';
    expect(receiveBody(BODY, signForTest(KEY, data)).kind).toBe('translated');
    // Cut to the one byte of Latin-1, ł is a B.
    const ofAnother = { ...signForTest(KEY, 'Bukasz@example.com'), 'x-security-data': data };
    expect(receiveBody(BODY, ofAnother)).toEqual({ kind: 'refused', reason: NONE_FITS });
  });

  it('is read from both of its headers, before the body is read', () => {
    expect(PAIR_HEADERS).toEqual(Object.keys(signForTest(KEY)));
  });

  it('does not cover the body', () => {
    expect(receiveBody(encode('{"orderId":"other"}'), signed).kind).toBe('translated');
  });
});
