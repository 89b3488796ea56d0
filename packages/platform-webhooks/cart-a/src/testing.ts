import {
  type SampleMembers,
  type SampleSale,
  type SignedRequest,
  writeSample,
} from '@handover/platform-contract';

/** The query parameters that a genuine sender adds to the webhook's URL. */
export function signForTest(secret: string): Readonly<Record<string, string>> {
  return { secret };
}

/** A genuine delivery of one order as SamCart sends it: only once it is paid. */
export function signedSample(secret: string, { orderId, email, name, sku }: SampleSale): SignedRequest {
  const order = { ...SAMCART_ORDER, id: orderId };
  const buyer = { email, ...(name === undefined ? {} : { first_name: name, last_name: '' }) };
  const body = sampleSamCart({ order, customer: { ...SAMCART_CUSTOMER, ...buyer } }, [{ sku }]);
  return { body, headers: { 'content-type': 'application/json' }, query: signForTest(secret) };
}

/**
 * A SamCart body. `changes` replaces its members, each of `products` the members of one product; undefined
 * removes a member.
 */
export function sampleSamCart(
  changes: SampleMembers = {},
  products: readonly SampleMembers[] = [{}],
): Uint8Array {
  const body = {
    type: 'Order',
    api_key: null,
    products: products.map((product) => ({ ...SAMCART_PRODUCT, ...product })),
    customer: SAMCART_CUSTOMER,
    order: SAMCART_ORDER,
    affiliate: [],
    ...changes,
  };
  return encode(writeSample(body));
}

/** A ThriveCart body. `changes` replaces fields by their full names; undefined removes a field. */
export function sampleThriveCart(changes: SampleMembers = {}): Uint8Array {
  const fields = Object.entries({ ...THRIVECART, ...changes }).filter(([, value]) => value !== undefined);
  return encode(
    new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString(),
  );
}

/** An UltraCart body: one event of that name for each order. */
export function sampleUltraCart(
  ...events: readonly (readonly [name: string, order: SampleMembers])[]
): Uint8Array {
  return encode(JSON.stringify({ events: events.map(([name, order]) => ({ [name]: order })) }));
}

/** An UltraCart order with every expansion we ask for. */
export function ultraCartOrder(
  changes: SampleMembers = {},
  items: readonly SampleMembers[] = [{}],
): SampleMembers {
  return { ...ULTRACART_ORDER, items: items.map((item) => ({ ...ULTRACART_ITEM, ...item })), ...changes };
}

const SAMCART_PRODUCT: SampleMembers = {
  id: '700101',
  name: 'Pads',
  sku: 'PAD-1',
  price: '49.00',
  status: 'Charged',
  shipping: '0.00',
  tax: '0.00',
  quantity: 1,
};

const SAMCART_CUSTOMER: SampleMembers = {
  first_name: 'Ines',
  last_name: 'Moor',
  email: 'ines@example.com',
  phone_number: null,
  customer_id: '500301',
  billing_country: 'Portugal',
};

const SAMCART_ORDER: SampleMembers = {
  created_at: '2026-10-09T13:21:49-05:00',
  id: '900401',
  total: '49.00',
  ip_address: '192.0.2.9',
  processor: 'Stripe',
  stripe_id: 'cus_1',
  custom_fields: [],
};

const THRIVECART: SampleMembers = {
  event: 'order.success',
  mode: 'live',
  mode_int: '2',
  thrivecart_account: 'example',
  thrivecart_secret: 'EXAMPLE',
  order_id: '900402',
  invoice_id: '77',
  currency: 'EUR',
  'customer[email]': 'ines@example.com',
  'customer[name]': ' ',
  'customer[first_name]': 'Ines',
  'customer[last_name]': 'Moor',
  'customer[business_name]': 'null',
  'order[total]': '4900',
  'order[total_str]': '49.00',
  'order[charges][0][name]': 'Pads',
  'order[charges][0][item_identifier]': 'product_12',
  'order[charges][0][reference]': '12',
  'order[charges][0][amount]': '4900',
  'order[charges][0][quantity]': '1',
  'order[charges][0][type]': 'single',
};

const ULTRACART_ITEM: SampleMembers = {
  merchant_item_id: 'PAD-1',
  manufacturer_sku: null,
  description: 'Pads',
  quantity: 1,
  kit: false,
  total_cost_with_discount: { value: 49, currency_code: 'USD' },
};

const ULTRACART_ORDER: SampleMembers = {
  merchant_id: 'DEMO',
  order_id: 'DEMO-0009000001',
  current_stage: 'Completed Order',
  currency_code: 'USD',
  billing: { email: 'ines@example.com', first_name: 'Ines', last_name: 'Moor', company: null },
  summary: { total: { value: 49, currency_code: 'USD' } },
  payment: { payment_status: 'Processed', payment_dts: '2026-10-09T13:21:49-04:00', test_order: false },
};

const encode = (text: string) => new TextEncoder().encode(text);
