import type { EventPayload, SessionPayload } from './payload.ts';

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string; readonly session: SessionPayload }
  | { readonly kind: 'ignored' | 'error'; readonly orderId: string | null; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Whether an event says that a checkout session is completed and paid. With a delayed payment method the
 * session is completed first, and a later event reports the payment.
 * https://docs.stripe.com/checkout/fulfillment
 */
export function classifyEvent({ object, type, data, ...event }: EventPayload): Classification {
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
  ['charge.refunded', 'A refund is not a completed order.'],
  ['charge.dispute.created', 'A dispute is not a completed order.'],
  ['invoice.paid', 'A paid invoice belongs to a sale that its checkout session announces, or is a renewal.'],
]);
