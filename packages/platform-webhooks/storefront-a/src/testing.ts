import {
  type SampleMembers,
  type SampleSale,
  type SignedRequest,
  signHmac,
  writeSample,
} from '@handover/platform-contract';

/** The headers of a genuine delivery of this body. */
export function signForTest(secret: string, body: Uint8Array): Readonly<Record<string, string>> {
  return { 'x-storefront-a-hmac-sha256': signHmac(secret, body, 'base64') };
}

/** A genuine delivery of one order, as the shop sends it. */
export function signedSample(
  secret: string,
  { orderId, email, name, sku, unpaid }: SampleSale,
): SignedRequest {
  const customer =
    name === undefined ? {} : { customer: { id: '11', email, first_name: name, last_name: '' } };
  const order = { id: orderId, name: `#${orderId}`, email, contact_email: email, ...customer };
  const body = sampleOrder({ ...order, ...(unpaid ? { financial_status: 'pending' } : {}) }, [{ sku }]);
  const headers = {
    'content-type': 'application/json',
    'x-storefront-a-topic': unpaid ? 'orders/create' : 'orders/paid',
    ...signForTest(secret, body),
  };
  return { body, headers, query: {} };
}

/**
 * The body of a paid order in the vendor's shape. `changes` replaces members of the order, each entry of
 * `lines` those of one line; undefined removes a member. Ids are text here, and bare numbers in the body.
 */
export function sampleOrder(changes: SampleMembers = {}, lines: readonly SampleMembers[] = [{}]): Uint8Array {
  const items = lines.map((line, position) => ({ ...LINE, id: String(position + 1), ...line }));
  const order = { ...ORDER, line_items: items, ...changes };
  return new TextEncoder().encode(writeSample(order));
}

const LINE: SampleMembers = {
  product_id: '632',
  variant_id: '808',
  sku: 'PAD-1',
  title: 'Pads',
  name: 'Pads',
  variant_title: null,
  quantity: 1,
  current_quantity: 1,
  price: '49.00',
  total_discount: '0.00',
  discount_allocations: [],
  gift_card: false,
  requires_shipping: false,
  properties: [],
};

const ORDER: SampleMembers = {
  id: '5001',
  name: '#1001',
  order_number: 1001,
  number: 1,
  email: 'ana@example.com',
  contact_email: 'ana@example.com',
  test: false,
  created_at: '2026-10-09T10:00:00-03:00',
  cancelled_at: null,
  currency: 'EUR',
  presentment_currency: 'EUR',
  total_price: '49.00',
  total_discounts: '0.00',
  total_tax: '0.00',
  financial_status: 'paid',
  fulfillment_status: null,
  customer: { id: '11', email: 'ana@example.com', first_name: 'Ana', last_name: 'Lima' },
  billing_address: { name: 'Ana Lima', country_code: 'BR' },
  shipping_address: null,
  refunds: [],
};
