import { readPayload } from '@handover/platform-contract';
import { type EventPayload, OrderIdSchema, type OrderPayload } from './payload.ts';

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string | null }
  | { readonly kind: 'ignored'; readonly orderId: string | null; readonly reason: string };

/** Whether an event announces a completed order. Each event of a batch is checked separately. */
export function classifyEvent({ type, data = {} }: EventPayload): Classification {
  const orderId = data.id ?? readOrder(data);
  if (type === undefined) {
    // The vendor always names the type. An event without one that is signed and looks like an order counts
    // as completed.
    const isOrder = orderId !== null && data.items !== undefined;
    if (!isOrder) return { kind: 'ignored', orderId: null, reason: 'The event does not say what it is.' };
  } else if (type !== COMPLETED) {
    return { kind: 'ignored', orderId: readSubject(type, data), reason: explainType(type) };
  }
  if (data.completed === false) {
    return { kind: 'ignored', orderId, reason: 'The order is not completed yet.' };
  }
  return { kind: 'completed', orderId };
}

const COMPLETED = 'order.completed';

/** The order id of an event: only events about orders have it as their own id. */
function readSubject(type: string, data: OrderPayload): string | null {
  const own = type.startsWith('order.') ? data.id : undefined;
  return data.original?.id ?? readOrder(data) ?? own ?? null;
}

function readOrder({ order }: OrderPayload): string | null {
  if (typeof order === 'string') return order;
  return readPayload(OrderIdSchema, order)?.id ?? null;
}

function explainType(type: string): string {
  const reason = REASONS.get(type) ?? FAMILIES.find(([family]) => type.startsWith(family))?.[1];
  return reason ? `${type}: ${reason}` : `The event ${type} does not announce a completed order.`;
}

// https://developer.fastspring.com/docs/orders-1
const REASONS: ReadonlyMap<string, string> = new Map([
  ['order.canceled', 'the order was cancelled.'],
  ['order.failed', 'the payment of the order failed.'],
  ['order.payment.pending', 'the order is not paid yet.'],
  ['order.approval.pending', 'the order waits for approval.'],
  ['payoutEntry.created', 'this repeats an order for the books; order.completed delivers it.'],
  ['subscription.activated', 'the first order of a subscription comes as order.completed.'],
  ['subscription.charge.completed', 'this is a later payment of a subscription, not a new order.'],
]);

const FAMILIES: readonly (readonly [string, string])[] = [
  ['subscription.', 'this changes a subscription, and orders nothing new.'],
  ['return.', 'this is a return, not an order.'],
];
