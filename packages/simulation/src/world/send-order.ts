import type { KnownPlatform } from '@handover/domain';
import { sampleSamCart, signForTest as signCartA } from '@handover/platform-cart-a/testing';
import {
  sampleBatch,
  sampleEvent as sampleFsEvent,
  sampleOrder as sampleFsOrder,
  signForTest as signCheckoutA,
} from '@handover/platform-checkout-a/testing';
import {
  sampleOrder as sampleClassicOrder,
  signForTest as signClassic,
} from '@handover/platform-checkout-a-classic/testing';
import type { SignedRequest } from '@handover/platform-contract/testing';
import {
  sampleEvent as sampleStripeEvent,
  signForTest as signPaymentsA,
} from '@handover/platform-payments-a/testing';
import {
  sampleOrder as sampleShopifyOrder,
  signForTest as signStorefrontA,
} from '@handover/platform-storefront-a/testing';
import {
  sampleOrder as sampleWooOrder,
  signForTest as signStorefrontB,
} from '@handover/platform-storefront-b/testing';

/** What a buyer bought, as the shop knows it. */
export interface Sale {
  readonly orgId: string;
  readonly platform: KnownPlatform;
  /** Digits. */
  readonly orderId: string;
  /** Null: the platform does not send the address, like Shopify for some apps. */
  readonly email: string | null;
  readonly skus: readonly string[];
  /** For the shared platform: the account of the payment, instead of the organisation's id. */
  readonly account?: string;
}

/** What a platform sends: some announce an unpaid order first. */
export type Stage = 'placed' | 'paid';

/** The behaviour of a platform as a sender. */
export interface PlatformManners {
  /** A placed order is announced before it is paid. */
  readonly announcesPlaced: boolean;
  /** The maximum number of equivalent deliveries of one paid order: other topics, saves of the order, resends. */
  readonly maxRepeats: number;
  /** Pauses before each retry, in milliseconds. Empty: a failed delivery is never sent again. */
  readonly retriesAfter: readonly number[];
  /** How long the platform waits for an answer. */
  readonly timeoutMs: number;
  /** One delivery per line of an order, not one for all. */
  readonly sendsLinesApart: boolean;
}

/** Accounts of the shared platform. The service's operator maps them to organisations. */
export const ACCOUNTS = ['acct_1Lumen', 'acct_1Nordic', 'acct_1Nobody'] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** From the vendors' pages on webhooks; where they are silent, the worst case is assumed. */
export const MANNERS: Readonly<Record<KnownPlatform, PlatformManners>> = {
  'storefront-a': {
    announcesPlaced: true,
    maxRepeats: 3,
    retriesAfter: [10_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR],
    timeoutMs: 5_000,
    sendsLinesApart: false,
  },
  'storefront-b': {
    announcesPlaced: true,
    maxRepeats: 5,
    retriesAfter: [],
    timeoutMs: 60_000,
    sendsLinesApart: false,
  },
  'payments-a': {
    announcesPlaced: true,
    maxRepeats: 2,
    retriesAfter: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 24 * HOUR],
    timeoutMs: 10_000,
    sendsLinesApart: false,
  },
  'checkout-a': {
    announcesPlaced: true,
    maxRepeats: 2,
    retriesAfter: [HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 6 * HOUR, 6 * HOUR, 24 * HOUR],
    timeoutMs: 10_000,
    sendsLinesApart: false,
  },
  'checkout-a-classic': {
    announcesPlaced: false,
    maxRepeats: 2,
    retriesAfter: [10 * MINUTE],
    timeoutMs: 10_000,
    sendsLinesApart: true,
  },
  'cart-a': {
    announcesPlaced: false,
    maxRepeats: 2,
    retriesAfter: [],
    timeoutMs: 10_000,
    sendsLinesApart: true,
  },
};

const MAX_KEPT = 20_000;
const kept = new Map<string, Unsigned>();

interface Unsigned {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A genuine request, as the platform would send it at that moment. Equivalent deliveries have equal bytes. */
export function composeDelivery(sale: Sale, stage: Stage, secret: string, at: Date): SignedRequest {
  // Only the shared platform names the organisation in its bodies.
  const { orgId, ...said } = sale;
  const key = JSON.stringify([said, sale.platform === 'payments-a' ? orgId : null, stage]);
  const known = kept.get(key);
  if (!known && kept.size >= MAX_KEPT) kept.clear();
  const { body, headers } = known ?? COMPOSERS[sale.platform](sale, stage);
  if (!known) kept.set(key, { body, headers });
  const sign = SIGNERS[sale.platform];
  const signature = sign(secret, body, at, sale);
  if (sale.platform === 'cart-a') return { body, headers, query: signature };
  return { body, headers: { ...headers, ...signature }, query: {} };
}

const SIGNERS: Readonly<
  Record<
    KnownPlatform,
    (secret: string, body: Uint8Array, at: Date, sale: Sale) => Readonly<Record<string, string>>
  >
> = {
  'storefront-a': signStorefrontA,
  'storefront-b': signStorefrontB,
  'payments-a': signPaymentsA,
  'checkout-a': signCheckoutA,
  'checkout-a-classic': (secret, _body, at, { orderId, email }) =>
    signClassic(secret, `${at.getTime()}${orderId}${email}${at.getTime() - 17}`),
  'cart-a': signCartA,
};

const COMPOSERS: Readonly<Record<KnownPlatform, (sale: Sale, stage: Stage) => Unsigned>> = {
  'storefront-a': ({ orderId, email, skus }, stage) => {
    const unpaid = stage === 'paid' ? {} : { financial_status: 'pending' };
    const customer = email === null ? { customer: null } : {};
    const body = sampleShopifyOrder(
      { id: orderId, name: `#${orderId}`, email, contact_email: email, ...customer, ...unpaid },
      skus.map((sku) => ({ sku })),
    );
    const topic = { 'x-storefront-a-topic': stage === 'paid' ? 'orders/paid' : 'orders/create' };
    return { body, headers: { ...JSON_TYPE, ...topic } };
  },
  'storefront-b': ({ orderId, email, skus }, stage) => {
    const unpaid = stage === 'paid' ? {} : { status: 'pending', date_paid: null, date_paid_gmt: null };
    const billing = { first_name: 'Mia', last_name: 'Kern', company: '', email: email ?? '' };
    const body = sampleWooOrder(
      { id: orderId, number: orderId, billing, ...unpaid },
      skus.map((sku) => ({ sku })),
    );
    const topic = { 'x-storefront-b-webhook-topic': stage === 'paid' ? 'order.updated' : 'order.created' };
    return { body, headers: { ...JSON_TYPE, ...topic } };
  },
  'payments-a': ({ orderId, email, skus, account, orgId }, stage) => {
    const names = { skus: skus.join(', ') };
    const session = {
      id: `cs_test_${orderId}`,
      payment_intent: `pi_${orderId}`,
      payment_status: stage === 'paid' ? 'paid' : 'unpaid',
      customer_email: null,
      customer_details: { email, name: 'Yu S', phone: null },
      metadata: account === undefined ? { org_id: orgId, ...names } : names,
    };
    const body = sampleStripeEvent(session, account === undefined ? {} : { account });
    return { body, headers: JSON_TYPE };
  },
  'checkout-a': ({ orderId, email, skus }, stage) => {
    const customer = { first: 'Lena', last: 'Orth', email, company: null, phone: null };
    const changes = { id: orderId, order: orderId, completed: stage === 'paid', customer };
    const data = sampleFsOrder(
      changes,
      skus.map((sku) => ({ sku, product: sku.trim() })),
    );
    const type = stage === 'paid' ? 'order.completed' : 'order.payment.pending';
    const body = sampleBatch([sampleFsEvent({ id: `ev-${orderId}-${stage}`, type, data })]);
    return { body, headers: JSON_TYPE };
  },
  'checkout-a-classic': ({ orderId, email, skus }) => {
    const body = sampleClassicOrder(
      { orderId, email: email ?? '' },
      skus.map((sku) => ({ sku })),
    );
    return { body, headers: JSON_TYPE };
  },
  'cart-a': ({ orderId, email, skus }) => {
    const order = { id: orderId, total: '49.00', created_at: ORDERED_AT, custom_fields: [] };
    const customer = { email: email ?? '', first_name: 'Ines', last_name: 'Moor' };
    const body = sampleSamCart(
      { order, customer },
      skus.map((sku) => ({ sku })),
    );
    return { body, headers: JSON_TYPE };
  },
};

/** However often an order is announced, it was created once. */
const ORDERED_AT = '2026-03-02T09:00:00.000Z';
const JSON_TYPE = { 'content-type': 'application/json' };
