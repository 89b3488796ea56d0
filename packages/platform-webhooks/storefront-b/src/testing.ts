import {
  type SampleMembers,
  type SampleSale,
  type SignedRequest,
  signHmac,
  writeSample,
} from '@handover/platform-contract';

/** The headers of a genuine delivery of this body. */
export function signForTest(secret: string, body: Uint8Array): Readonly<Record<string, string>> {
  return { 'x-storefront-b-webhook-signature': signHmac(secret, body, 'base64') };
}

/** A genuine delivery of one order, as the shop sends it. */
export function signedSample(
  secret: string,
  { orderId, email, name, sku, unpaid }: SampleSale,
): SignedRequest {
  const status = unpaid ? { status: 'pending', date_paid: null, date_paid_gmt: null } : {};
  const billing = { ...BILLING, email, ...(name === undefined ? {} : { first_name: name, last_name: '' }) };
  const body = sampleOrder({ id: orderId, number: orderId, billing, ...status }, [{ sku }]);
  const headers = {
    'content-type': 'application/json',
    'x-storefront-b-webhook-topic': 'order.updated',
    ...signForTest(secret, body),
  };
  return { body, headers, query: {} };
}

/**
 * The body of a paid order in the vendor's shape. `changes` replaces members of the order, each entry of
 * `lines` those of one line; undefined removes a member. Ids are text here, and bare numbers in the body.
 */
export function sampleOrder(changes: SampleMembers = {}, lines: readonly SampleMembers[] = [{}]): Uint8Array {
  const items = lines.map((line, position) => ({ ...LINE, id: String(position + 315), ...line }));
  return encodeAsShop({ ...ORDER, line_items: items, ...changes });
}

/** The same order in the legacy payload version. */
export function sampleLegacyOrder(changes: SampleMembers = {}): Uint8Array {
  return encodeAsShop({ order: { ...LEGACY_ORDER, line_items: [LEGACY_LINE], ...changes } });
}

const BILLING: SampleMembers = {
  first_name: 'Mia',
  last_name: 'Kern',
  company: '',
  address_1: '1 High Street',
  city: 'Vienna',
  country: 'AT',
  email: 'mia@example.com',
  phone: '',
};

const LINE: SampleMembers = {
  name: 'Pads',
  product_id: '93',
  variation_id: '94',
  quantity: 1,
  tax_class: '',
  subtotal: '49.00',
  subtotal_tax: '9.80',
  total: '49.00',
  total_tax: '9.80',
  taxes: [],
  meta_data: [],
  sku: 'PAD-1',
  price: 49,
};

const ORDER: SampleMembers = {
  id: '727',
  parent_id: 0,
  status: 'processing',
  currency: 'EUR',
  version: '9.4.1',
  prices_include_tax: false,
  date_created_gmt: '2026-10-09T10:00:00',
  discount_total: '0.00',
  shipping_total: '0.00',
  cart_tax: '9.80',
  total: '58.80',
  total_tax: '9.80',
  customer_id: 0,
  order_key: 'wc_order_example727',
  billing: BILLING,
  shipping: { first_name: '', last_name: '', company: '' },
  payment_method: 'stripe',
  payment_method_title: 'Card',
  transaction_id: 'ch_1',
  created_via: 'checkout',
  date_paid: '2026-10-09T12:00:03',
  date_paid_gmt: '2026-10-09T10:00:03',
  number: '727',
  meta_data: [],
  tax_lines: [],
  shipping_lines: [],
  fee_lines: [],
  coupon_lines: [],
  refunds: [],
  payment_url: 'https://shop.example/checkout/order-pay/727/',
};

const LEGACY_LINE: SampleMembers = {
  id: '315',
  subtotal: '49.00',
  subtotal_tax: '9.80',
  total: '49.00',
  total_tax: '9.80',
  price: '49.00',
  quantity: 1,
  tax_class: '',
  name: 'Pads',
  product_id: '94',
  sku: 'PAD-1',
  meta: [],
};

const LEGACY_ORDER: SampleMembers = {
  id: '727',
  order_number: '727',
  order_key: 'wc_order_example727',
  created_at: '2026-10-09T10:00:00Z',
  status: 'processing',
  currency: 'EUR',
  total: '58.80',
  subtotal: '49.00',
  total_line_items_quantity: 1,
  total_tax: '9.80',
  payment_details: { method_id: 'stripe', method_title: 'Card', paid: true },
  billing_address: BILLING,
  customer_id: 0,
};

/** The shop escapes slashes and non-ASCII characters, so its bytes differ from JavaScript's. */
function encodeAsShop(sample: SampleMembers): Uint8Array {
  const text = writeSample(sample)
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return new TextEncoder().encode(text);
}
