import {
  type SampleMembers,
  type SampleSale,
  type SignedRequest,
  signHmac,
} from '@handover/platform-contract';
import { signedBytes } from './verify.ts';

/** The headers of a genuine delivery of this body, signed at that time. */
export function signForTest(
  secret: string,
  body: Uint8Array,
  at: Date = new Date(),
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = signHmac(secret, signedBytes(timestamp, body), 'hex');
  return { 'payments-a-signature': `t=${timestamp},v1=${signature}` };
}

/** A genuine delivery of one completed session, signed now. Without `orgId` it names no organisation. */
export function signedSample(
  secret: string,
  { orderId, email, name = 'Yu Sato', sku, orgId, unpaid }: SampleSale,
): SignedRequest {
  const body = sampleEvent({
    id: `cs_test_${orderId}`,
    payment_intent: `pi_${orderId}`,
    payment_status: unpaid ? 'unpaid' : 'paid',
    customer_details: { ...CUSTOMER, email, name },
    metadata: { org_id: orgId, sku },
  });
  const headers = { 'content-type': 'application/json; charset=utf-8', ...signForTest(secret, body) };
  return { body, headers, query: {} };
}

/**
 * The body of an event in the vendor's shape: a session was completed and paid. `session` replaces members
 * of the session, `event` those of the envelope; undefined removes a member.
 */
export function sampleEvent(session: SampleMembers = {}, event: SampleMembers = {}): Uint8Array {
  const body = { ...EVENT, data: { object: { ...SESSION, ...session } }, ...event };
  return new TextEncoder().encode(JSON.stringify(body, null, 2));
}

/** One line as the vendor lists it: `item` replaces members of the line, `price` those of its price. */
export function sampleLineItem(item: SampleMembers = {}, price: SampleMembers = {}): SampleMembers {
  return { ...LINE_ITEM, price: { ...PRICE, ...price }, ...item };
}

const CUSTOMER: SampleMembers = {
  address: { city: null, country: 'JP', line1: null, postal_code: null, state: null },
  email: 'yu@example.com',
  name: 'Yu Sato',
  phone: null,
  tax_exempt: 'none',
};

const SESSION: SampleMembers = {
  id: 'cs_live_b1',
  object: 'checkout.session',
  amount_subtotal: 4900,
  amount_total: 4900,
  client_reference_id: null,
  created: 1_760_000_000,
  currency: 'eur',
  customer: null,
  customer_details: CUSTOMER,
  customer_email: null,
  invoice: null,
  livemode: true,
  metadata: { org_id: 'org-1', sku: 'PAD-1' },
  mode: 'payment',
  payment_intent: 'pi_9',
  payment_link: null,
  payment_method_types: ['card'],
  payment_status: 'paid',
  status: 'complete',
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
};

const EVENT: SampleMembers = {
  id: 'evt_1',
  object: 'event',
  api_version: '2025-03-31.basil',
  created: 1_760_000_000,
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type: 'checkout.session.completed',
};

const PRICE: SampleMembers = {
  id: 'price_1',
  object: 'price',
  currency: 'eur',
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: 'prod_1',
  unit_amount: 4900,
};

const LINE_ITEM: SampleMembers = {
  id: 'li_1',
  object: 'item',
  amount_discount: 0,
  amount_subtotal: 4900,
  amount_tax: 0,
  amount_total: 4900,
  currency: 'eur',
  description: 'Pads',
  quantity: 1,
};
