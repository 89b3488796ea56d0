import {
  countItems,
  type Decimal,
  explainRefund,
  formatDecimal,
  listCandidates,
  type OrderLine,
  parseDecimal,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import {
  type EventPayload,
  EventSchema,
  type LineItemPayload,
  ProductSchema,
  type SessionPayload,
} from './payload.ts';

export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const event = readPayload(EventSchema, payload);
  if (!event) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const refunds = listRefunds(event);
  if (refunds.length > 0) return refunds;
  const classification = classifyEvent(event);
  if (classification.kind === 'unreadable') return classification;
  if (classification.kind !== 'completed') return [classification];
  const order = translateSession(classification.orderId, classification.session);
  return [{ kind: 'order', order: { ...order, test: event.livemode === false } }];
}

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string; readonly session: SessionPayload }
  | Exclude<TranslatedEntry, { readonly kind: 'order' }>
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Whether an event says that a checkout session is completed and paid. With a delayed payment method the
 * session is completed first, and a later event reports the payment.
 * https://docs.stripe.com/checkout/fulfillment
 */
function classifyEvent({ object, type, data, ...event }: EventPayload): Classification {
  if (type === undefined || !isEvent(object)) {
    return { kind: 'unreadable', problem: 'The body is not an event.' };
  }
  if (THIN_SALE_TYPES.has(type)) {
    const orderId = event.related_object?.id ?? event.id ?? null;
    return { kind: 'error', orderId, reason: THIN_EVENT };
  }
  if (!type.startsWith('checkout.session.')) {
    return { kind: 'ignored', orderId: null, reason: explainType(type) };
  }
  const session = data?.object;
  const orderId = session?.id ?? null;
  const reason = findObjection(type, session ?? {});
  if (reason !== null) return { kind: 'ignored', orderId, reason };
  return session === undefined || orderId === null
    ? { kind: 'unreadable', problem: 'The event holds no checkout session.' }
    : { kind: 'completed', orderId, session };
}

/**
 * A charge names no session, but what can be the number of a session's order: the payment and, up to version 2025-02-24 of the
 * vendor's API, the invoice. The session of a subscription has no other number, and the charge does not say which one applies.
 * https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices
 */
function listRefunds({ object, type, data }: EventPayload): readonly TranslatedEntry[] {
  if (type !== REFUNDED || !isEvent(object)) return [];
  const numbers = [data?.object?.payment_intent, data?.object?.invoice].filter(
    (number) => number !== undefined,
  );
  const reason = explainType(type);
  return numbers.map((orderNumber) => ({
    kind: 'ignored',
    orderId: null,
    orderNumber,
    reason,
    isRefunded: true,
  }));
}

const REFUNDED = 'charge.refunded';

/** The vendor's newer kind of event is `v2.core.event`. */
function isEvent(object: string | undefined): boolean {
  return object === undefined || /(^|\.)event$/.test(object);
}

function findObjection(type: string, { mode, payment_status: paymentStatus }: SessionPayload): string | null {
  const reason = SESSION_REASONS.get(type);
  if (reason !== undefined) return reason;
  if (!SALE_TYPES.has(type)) return explainType(type);
  if (mode === 'setup') return 'The session only saved a way to pay: nothing was sold.';
  if (type === PAID_LATER || paymentStatus === undefined || PAID.has(paymentStatus)) return null;
  return paymentStatus === 'unpaid'
    ? 'The session is completed but not paid: waiting for the payment.'
    : `The session is completed, but its payment status is ${paymentStatus}.`;
}

const PAID_LATER = 'checkout.session.async_payment_succeeded';
const SALE_TYPES: ReadonlySet<string> = new Set(['checkout.session.completed', PAID_LATER]);

/** Types of `v2.core.event`: https://docs.stripe.com/event-destinations#thin-events */
const THIN_SALE_TYPES: ReadonlySet<string> = new Set([...SALE_TYPES].map((type) => `v1.${type}`));

const THIN_EVENT =
  'This is a thin event, which brings no checkout session: nothing can be delivered for it. ' +
  'In Stripe, choose snapshot payloads for the event destination.';

/** The second value covers coupons of 100 % and trials. */
const PAID: ReadonlySet<string> = new Set(['paid', 'no_payment_required']);

const SESSION_REASONS: ReadonlyMap<string, string> = new Map([
  ['checkout.session.async_payment_failed', 'The delayed payment failed: nothing is delivered.'],
  ['checkout.session.expired', 'The session expired before it was completed.'],
]);

function explainType(type: string): string {
  if (type.startsWith('customer.subscription.'))
    return 'A change of a subscription is not a completed order.';
  return TYPE_REASONS.get(type) ?? `The event ${type} does not announce a completed order.`;
}

const SAME_SALE = 'belongs to a sale that its checkout session announces.';
const TYPE_REASONS: ReadonlyMap<string, string> = new Map([
  ['payment_intent.succeeded', `The event payment_intent.succeeded ${SAME_SALE}`],
  ['charge.succeeded', `The event charge.succeeded ${SAME_SALE}`],
  [REFUNDED, explainRefund(REFUNDED)],
  ['charge.dispute.created', 'A dispute is not a completed order.'],
  ['invoice.paid', 'A paid invoice belongs to a sale that its checkout session announces, or is a renewal.'],
]);

/**
 * The session is the order, never the event: several events, and several sends of each, can be about one
 * session.
 */
function translateSession(orderId: string, session: SessionPayload): Omit<TranslatedOrder, 'test'> {
  const { customer_details: customer, currency = null } = session;
  const total = readMinorUnits(session.amount_total, currency);
  const { lines, notes } = translateLines(session, total);
  return {
    orderId,
    orderNumber: session.payment_intent ?? session.invoice ?? orderId,
    customer: {
      email: customer?.email ?? session.customer_email ?? null,
      name: customer?.name ?? customer?.individual_name ?? customer?.business_name ?? null,
    },
    language: session.locale ?? null,
    currency,
    total: total && formatDecimal(total),
    lines,
    notes: currency === null && total ? [NO_CURRENCY, ...notes] : notes,
  };
}

const NO_CURRENCY = 'The session names no currency: its amounts were read as hundredths.';

/**
 * The purchased products. Events do not list them, so the seller names them in the session's metadata;
 * embedded lines count only where the metadata names none.
 * https://docs.stripe.com/checkout/fulfillment#create-fulfillment-function
 */
function translateLines(
  session: SessionPayload,
  total: Decimal | null,
): { readonly lines: readonly OrderLine[]; readonly notes: readonly string[] } {
  const named = nameLines(session.metadata ?? {}, total);
  if (named.length > 0) return { lines: named, notes: [] };
  const items = session.line_items?.data ?? [];
  if (items.length === 0) return { lines: [], notes: [NO_PRODUCT] };
  const notes = session.line_items?.has_more ? [MORE_LINES] : [];
  const lines = items.map((item, position) =>
    translateItem(item, session.currency ?? null, `Line ${position + 1}`, notes),
  );
  return { lines, notes };
}

const NO_PRODUCT = "The session names no product: put the product's SKU into its metadata as sku.";
const MORE_LINES = 'The session has more lines than the event lists.';

/** All lines share one total: the first line has it, so that the sum stays correct. */
function nameLines(
  metadata: NonNullable<SessionPayload['metadata']>,
  total: Decimal | null,
): readonly OrderLine[] {
  const sources = [
    [metadata.sku],
    metadata.skus?.split(',') ?? [],
    [metadata.product_id ?? metadata.productId],
  ];
  const [candidates = []] = sources
    .map((texts) => listCandidates({ skus: texts.map((text) => text?.trim()), vendorIds: [] }))
    .filter((found) => found.length > 0);
  return candidates.map((candidate, position) => ({
    candidates: [candidate],
    quantity: 1,
    amount: total && formatDecimal(position === 0 ? total : { units: 0n, scale: total.scale }),
    title: null,
  }));
}

function translateItem(
  item: LineItemPayload,
  currency: string | null,
  name: string,
  notes: string[],
): OrderLine {
  const { price } = item;
  const product = readProduct(price?.product);
  const amount = readMinorUnits(item.amount_total, currency);
  if (!amount) notes.push(`${name}: no readable amount.`);
  return {
    candidates: listCandidates({
      skus: [price?.lookup_key, price?.metadata?.sku, product?.metadata?.sku],
      vendorIds: [price?.id, product?.id],
    }),
    quantity: countItems(item.quantity, name, notes),
    amount: amount && formatDecimal(amount),
    title: item.description ?? null,
  };
}

function readProduct(product: unknown) {
  return readPayload(ProductSchema, typeof product === 'string' ? { id: product } : product);
}

// https://docs.stripe.com/currencies#minor-units
// This is the vendor's own table; ISO 4217 has other digits for ISK, UGX and MGA.
const NO_DECIMALS: ReadonlySet<string> = new Set([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA'],
  ...['PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'],
]);
const THREE_DECIMALS: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** The API counts these in hundredths, though the currency has none. */
const HUNDREDTHS_IN_NAME_ONLY: ReadonlySet<string> = new Set(['ISK', 'UGX']);

/** Converts an amount from minor to major units exactly; null where it is not a number. */
export function readMinorUnits(text: string | undefined, currency: string | null): Decimal | null {
  const amount = parseDecimal(text ?? '');
  if (!amount) return null;
  const code = currency?.toUpperCase() ?? '';
  const { units, scale } = { units: amount.units, scale: amount.scale + minorDigits(code) };
  const isWhole = scale === 2 && units % 100n === 0n;
  return HUNDREDTHS_IN_NAME_ONLY.has(code) && isWhole ? { units: units / 100n, scale: 0 } : { units, scale };
}

function minorDigits(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}
