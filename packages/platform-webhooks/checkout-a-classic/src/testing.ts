import { createHash } from 'node:crypto';
import type { SampleMembers, SampleSale, SignedRequest } from '@handover/platform-contract';
import { CONTENT_TEMPLATE } from './payload.ts';

/** The headers of a genuine delivery. They do not cover its body. */
export function signForTest(secret: string, data: string = DATA): Readonly<Record<string, string>> {
  return { 'x-security-data': data, 'x-security-hash': hashForTest(secret, data) };
}

/** The form fields of a genuine delivery without such headers. */
export function signFormForTest(secret: string, data: string = DATA): SampleMembers {
  return { security_data: data, security_hash: hashForTest(secret, data) };
}

/** A genuine delivery of one order, as the store sends it with our template. */
export function signedSample(
  secret: string,
  { orderId, email, name, sku, unpaid }: SampleSale,
): SignedRequest {
  const buyer = { email, ...(name === undefined ? {} : { firstName: name, lastName: '' }) };
  const body = sampleOrder({ orderId, ...buyer, ...(unpaid ? { Status: 'pending' } : {}) }, [{ sku }]);
  const now = Date.now();
  const headers = {
    'content-type': 'application/json',
    ...signForTest(secret, `${now}${orderId}${email}${now - 17}`),
  };
  return { body, headers, query: {} };
}

/** An order in our template's body. `changes` replaces its members; undefined removes one. */
export function sampleOrder(changes: SampleMembers = {}, items: readonly SampleMembers[] = [{}]): Uint8Array {
  const order = { ...ORDER, items: items.map((item) => ({ ...ITEM, ...item })), ...changes };
  return new TextEncoder().encode(JSON.stringify(order));
}

/** The body of an order under the vendor's default parameters. */
export function sampleForm(changes: SampleMembers = {}): Uint8Array {
  const fields = Object.entries({ ...FORM, ...changes }).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
  return new TextEncoder().encode(text.toString());
}

/** Our template with its variables filled in as the store does it: without escaping. */
export function fillTemplate(values: Readonly<Record<string, string>>): Uint8Array {
  const text = CONTENT_TEMPLATE.replace(/#\{([\w.]+)\}/g, (_variable, name: string) => values[name] ?? '');
  return new TextEncoder().encode(text);
}

function hashForTest(secret: string, data: string): string {
  return createHash('md5').update(`${data}${secret}`, 'utf8').digest('hex');
}

const DATA = '1760000000475EXA261009-1234-56789buyer@example.com1760000000458';

const ITEM: SampleMembers = { sku: 'PAD-1', quantity: '1', price: '49.0' };

const ORDER: SampleMembers = {
  orderId: 'EXA261009-1234-56789',
  test: 'false',
  currency: 'EUR',
  total: '49.0',
  email: 'buyer@example.com',
  firstName: 'Noa',
  lastName: 'Berg',
};

const FORM: SampleMembers = {
  OrderReferrer: '',
  OrderIsTest: 'false',
  OrderID: 'EXA261009-1234-56789',
  OrderProductNames: 'PAD-1',
  OrderSubTotalUSD: '49.0',
  OrderDiscountTotalUSD: '0.0',
  OrderShippingTotalUSD: '0.0',
  OrderCoupons: '',
  CustomerFirstName: 'Noa',
  CustomerLastName: 'Berg',
  CustomerCompany: '',
  CustomerEmail: 'buyer@example.com',
  CustomerPhone: '',
  AddressCity: 'Oslo',
  AddressCountry: 'NO',
};
