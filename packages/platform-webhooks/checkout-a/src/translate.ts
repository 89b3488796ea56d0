import {
  countItems,
  explainRefund,
  joinNames,
  lastSegment,
  listCandidates,
  type OrderLine,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  translateBatch,
  translateItems,
  type Unreadable,
  withOrderNumber,
} from '@handover/platform-contract';
import {
  type EventPayload,
  EventSchema,
  type ItemPayload,
  listEvents,
  OrderIdSchema,
  type OrderPayload,
  ProductSchema,
} from './payload.ts';

export function translate(payload: unknown): readonly TranslatedEntry[] | Unreadable {
  const events = listEvents(payload);
  if (!events) return { kind: 'unreadable', problem: 'The body holds no list of events.' };
  return translateBatch(events, translateEvent);
}

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string | null }
  | { readonly kind: 'ignored'; readonly orderId: string | null; readonly reason: string };

/** Whether an event announces a completed order. Each event of a batch is checked separately. */
function classifyEvent({ type, data = {} }: EventPayload): Classification {
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

/** In full or in part: https://developer.fastspring.com/reference/returncreated */
const RETURNED = 'return.created';

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
  if (type === RETURNED) return explainRefund(type);
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

function translateEvent(payload: unknown): TranslatedEntry {
  const event = readPayload(EventSchema, payload);
  if (!event) return { kind: 'ignored', orderId: null, reason: 'An event of the batch is not an object.' };
  const classification = classifyEvent(event);
  if (classification.kind === 'ignored') {
    const { id, reference } = event.data ?? {};
    const named = withOrderNumber(classification, { id, number: reference });
    return event.type === RETURNED ? { ...named, isRefunded: true } : named;
  }
  const { orderId } = classification;
  if (orderId === null) return { kind: 'error', orderId, reason: explainNameless(event) };
  return { kind: 'order', order: translateOrder(orderId, event) };
}

/** Without the order's id, a later delivery of it could not be recognised as a duplicate. */
function explainNameless({ id }: EventPayload): string {
  return `The event ${id ?? 'without an id'} names no order id, so nothing can be delivered for it.`;
}

function translateOrder(orderId: string, { live, data = {} }: EventPayload): TranslatedOrder {
  const notes: string[] = [];
  return {
    orderId,
    orderNumber: data.reference ?? orderId,
    customer: { email: readEmail(data), name: readName(data) },
    language: data.language ?? null,
    currency: data.currency ?? null,
    total: data.total ?? null,
    // All of them: the items of a bundle cost nothing, but were bought too.
    lines: translateItems(data.items ?? [], notes, translateLine),
    test: (live ?? data.live) === false,
    notes,
  };
}

/** The payer gets the delivery; the recipient of a gift counts only if no other address is given. */
function readEmail({ customer, account, recipients }: OrderPayload): string | null {
  return customer?.email ?? account?.contact?.email ?? recipients?.[0]?.recipient?.email ?? null;
}

function readName({ customer, account }: OrderPayload): string | null {
  const contact = account?.contact;
  return (
    joinNames(customer?.first, customer?.last) ??
    joinNames(contact?.first, contact?.last) ??
    customer?.company ??
    null
  );
}

/** The SKU exists only if the merchant filled it in; the product's path always exists. */
function translateLine(item: ItemPayload, name: string, notes: string[]): OrderLine {
  const { sku, product } = readProduct(item);
  return {
    candidates: listCandidates({ skus: [item.sku ?? sku, product, lastSegment(product)], vendorIds: [] }),
    quantity: countItems(item.quantity, name, notes),
    amount: item.subtotal ?? null,
    title: item.display ?? null,
  };
}

function readProduct({ product }: ItemPayload): { readonly sku?: string; readonly product?: string } {
  return typeof product === 'string' ? { product } : (readPayload(ProductSchema, product) ?? {});
}
