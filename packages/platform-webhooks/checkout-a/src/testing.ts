import {
  type SampleMembers,
  type SampleSale,
  type SignedRequest,
  signHmac,
} from '@handover/platform-contract';

/** The headers of a genuine delivery of this body. */
export function signForTest(secret: string, body: Uint8Array): Readonly<Record<string, string>> {
  return { 'x-checkout-a-signature': signHmac(secret, body, 'base64') };
}

/** A genuine delivery of one order, as the store sends it. */
export function signedSample(
  secret: string,
  { orderId, email, name, sku, unpaid = false }: SampleSale,
): SignedRequest {
  const customer = { ...CUSTOMER, email, ...(name === undefined ? {} : { first: name, last: '' }) };
  const data = sampleOrder({ id: orderId, order: orderId, completed: !unpaid, customer }, [{ sku }]);
  const type = unpaid ? 'order.payment.pending' : 'order.completed';
  const body = sampleBatch([sampleEvent({ id: `ev-${orderId}`, type, data })]);
  const headers = { 'content-type': 'application/json; charset=UTF-8', ...signForTest(secret, body) };
  return { body, headers, query: {} };
}

export function sampleBatch(events: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ events }));
}

/** An event of a completed order. `changes` replaces its members; undefined removes one. */
export function sampleEvent(changes: SampleMembers = {}): SampleMembers {
  return { ...EVENT, data: sampleOrder(), ...changes };
}

/** The `data` of an event, in the vendor's shape; each entry of `items` changes one line. */
export function sampleOrder(
  changes: SampleMembers = {},
  items: readonly SampleMembers[] = [{}],
): SampleMembers {
  return { ...ORDER, items: items.map((item) => ({ ...ITEM, ...item })), ...changes };
}

const EVENT: SampleMembers = {
  id: 'ev-a2',
  processed: false,
  created: 1760000000202,
  type: 'order.completed',
  live: true,
};

const CUSTOMER: SampleMembers = {
  first: 'Lena',
  last: 'Orth',
  email: 'lena@example.com',
  company: null,
  phone: null,
};

const ITEM: SampleMembers = {
  product: 'pads',
  quantity: 1,
  display: 'Pads',
  sku: 'PAD-1',
  subtotal: 24.5,
  discount: 0,
  coupon: null,
  attributes: {},
  fulfillments: {},
};

const ORDER: SampleMembers = {
  order: 'ExampleOrderId0000001A',
  id: 'ExampleOrderId0000001A',
  reference: 'EXA261009-7104-00011',
  completed: true,
  live: true,
  language: 'en',
  ipAddress: '192.0.2.7',
  currency: 'EUR',
  payoutCurrency: 'USD',
  total: 29.4,
  totalDisplay: '€29.40',
  totalInPayoutCurrency: 34.1,
  tax: 4.9,
  subtotal: 24.5,
  discount: 0,
  account: 'ExampleAccountId00001B',
  payment: { type: 'creditcard', cardEnding: '4242' },
  customer: CUSTOMER,
  recipients: [{ recipient: { first: 'Lena', last: 'Orth', email: 'lena@example.com' } }],
  address: { country: 'AT' },
  tags: {},
  notes: [],
};
