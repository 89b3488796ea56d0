import { encode } from '@handover/platform-contract/testing';
import { describe, expect, it } from 'vitest';
import { sampleForm, sampleOrder, signFormForTest, signForTest } from '../src/testing.ts';
import { KEY, receiveBody } from './receive-body.ts';

const DATA = '1760000000475EXA261009-1234-56789buyer@example.com1760000000458';
// Computed once, outside this code base.
const HASH = '93ab9dc622e7c0ce087832791cdcfb68';
const SUBSCRIPTION = {
  'x-security-data': '1760000000475EXA261009-1234-56789S',
  'x-security-hash': 'cc52ffb88c2cadb3e2851472aa9796b3',
};
const BODY = sampleOrder();
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
    ['no data', { 'x-security-hash': HASH }],
    ['no hash', { 'x-security-data': DATA }],
    ['blank data', { ...signed, 'x-security-data': ' ' }],
    ['data twice', { ...signed, 'x-security-data': [DATA, DATA] }],
    ['an upper case hash', { ...signed, 'x-security-hash': HASH.toUpperCase() }],
    ['the data of another', { ...signed, 'x-security-data': SUBSCRIPTION['x-security-data'] }],
  ])('with %s is refused, even if the form holds a right one', (_case, headers) => {
    expect(receiveBody(sampleForm(signFormForTest(KEY)), headers).kind).toBe('refused');
  });

  it('in the form is refused when half of it is missing or it came twice', () => {
    const pair = new URLSearchParams({ security_data: DATA, security_hash: HASH }).toString();
    const refused = [
      `OrderID=1&security_data=${encodeURIComponent(DATA)}`,
      `OrderID=1&security_hash=${HASH}`,
      `${pair}&${pair}`,
      `${pair}&security_hash=${HASH}`,
      `${pair}&security_data=`,
      `{"security_data":"${DATA}","security_hash":"${HASH}"}`,
      '',
      `${pair}&${'a=1&'.repeat(2000)}`,
    ];
    expect(refused.map((text) => receiveBody(encode(text), {}).kind)).toEqual(refused.map(() => 'refused'));
  });

  it('in the headers is enough, whatever the form holds', () => {
    const body = sampleForm({ security_data: 'x', security_hash: 'y' });
    expect(receiveBody(body, signed).kind).toBe('translated');
  });

  it('may hold any text', () => {
    expect(receiveBody(BODY, signForTest(KEY, 'not what the vendor documents')).kind).toBe('translated');
  });

  it('is over UTF-8, also where the header was read as Latin-1', () => {
    const headers = signForTest(KEY, 'zoë@example.com');
    const asLatin1 = Buffer.from('zoë@example.com').toString('latin1');
    expect(receiveBody(BODY, headers).kind).toBe('translated');
    expect(receiveBody(BODY, { ...headers, 'x-security-data': asLatin1 }).kind).toBe('translated');
  });

  it('is over UTF-8 alone where the data holds what Latin-1 has no bytes for', () => {
    const data = 'łukasz@example.com';
    expect(receiveBody(BODY, signForTest(KEY, data)).kind).toBe('translated');
    // Cut to the one byte of Latin-1, ł is a B.
    const ofAnother = { ...signForTest(KEY, 'Bukasz@example.com'), 'x-security-data': data };
    const reason = 'The signature fits none of the secrets that are set up.';
    expect(receiveBody(BODY, ofAnother)).toEqual({ kind: 'refused', reason });
  });

  it('does not protect the body', () => {
    expect(receiveBody(encode('{"orderId":"other"}'), signed).kind).toBe('translated');
  });
});
