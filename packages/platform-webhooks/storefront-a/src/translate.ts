import {
  type Decimal,
  explainRefund,
  formatDecimal,
  joinNames,
  type KeptHeaders,
  listCandidates,
  multiplyDecimal,
  type OrderLine,
  parseDecimal,
  readHeader,
  readPayload,
  readQuantity,
  subtractDecimals,
  type TranslatedEntry,
  type TranslatedOrder,
  translateItems,
  type Unreadable,
  withOrderNumber,
} from '@handover/platform-contract';
import { type LineItemPayload, type OrderPayload, OrderSchema } from './payload.ts';
import { spellHeader } from './verify.ts';

export const TOPIC_HEADERS = spellHeader('topic');

export function translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable {
  const order = readPayload(OrderSchema, payload);
  if (!order) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const topic = readHeader(headers, TOPIC_HEADERS)?.toLowerCase() ?? null;
  const classification = classifyOrder(order, topic);
  const refunded = saysRefunded(order, topic) ? ({ isRefunded: true } as const) : {};
  if (classification.kind === 'completed')
    return [{ kind: 'order', order: { ...translateOrder(classification.orderId, order), ...refunded } }];
  const named = withOrderNumber(classification, {
    id: readOrderId(order),
    number: order.name ?? order.order_number,
  });
  return [named.kind === 'ignored' ? { ...named, ...refunded } : named];
}

/** A refund in part leaves the order as it is, and each body about it has the state; the topic alone is about one refund. */
function saysRefunded(order: OrderPayload, topic: string | null): boolean {
  return topic === REFUND_TOPIC
    ? movesMoney(order)
    : REFUNDED.has(order.financial_status?.toLowerCase() ?? '');
}

/**
 * A refund is created “independent from the movement of money”, such as for a line that an edit of the order removes. The gateway
 * can also refuse to give the money back.
 * https://shopify.dev/docs/api/admin-rest/latest/resources/webhook#event-topics-refunds-create
 * https://shopify.dev/docs/api/admin-rest/latest/resources/transaction#resource-object
 */
function movesMoney({ transactions }: OrderPayload): boolean {
  return transactions?.some(({ status }) => !NOT_MOVED.has(status?.toLowerCase() ?? '')) ?? true;
}

const NOT_MOVED: ReadonlySet<string> = new Set(['failure', 'error']);

const REFUND_TOPIC = 'refunds/create';

const REFUNDED: ReadonlySet<string> = new Set(['refunded', 'partially_refunded']);

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string }
  | { readonly kind: 'ignored' | 'error'; readonly orderId: string | null; readonly reason: string };

/**
 * Whether a body is an order that is paid and not cancelled. The merchant chooses the topics that a shop
 * sends, so the order's own state decides; the topic only excludes bodies that are not orders, and helps
 * where the state is missing.
 */
function classifyOrder(order: OrderPayload, topic: string | null): Classification {
  const orderId = readOrderId(order);
  const subject = order.order_id ?? order.order_edit?.order_id ?? null;
  if (isNewerEvent(order)) {
    const ofEvent = ORDER_GID.exec(order.query_variables?.orderId ?? '')?.[1] ?? null;
    return { kind: 'error', orderId: ofEvent, reason: `${NEWER_EVENT} ${CHOOSE_WEBHOOK}` };
  }
  if (topic !== null && !ORDER_TOPICS.has(topic)) {
    const named = subject ?? (topic.startsWith('orders/') ? orderId : null);
    return {
      kind: 'ignored',
      orderId: named,
      reason:
        topic === REFUND_TOPIC
          ? explainRefundOf(order, topic)
          : `The topic ${topic} does not announce a completed order.`,
    };
  }
  if (orderId === null || !isOrderShaped(order, topic)) {
    return isOrderWithoutLines(order, topic)
      ? { kind: 'error', orderId, reason: `The order came without its lines. ${CHOOSE_WEBHOOK}` }
      : { kind: 'ignored', orderId: subject, reason: 'The body is not an order.' };
  }
  const reason = findObjection(orderId, order, topic);
  return reason === null ? { kind: 'completed', orderId } : { kind: 'ignored', orderId, reason };
}

function explainRefundOf(refund: OrderPayload, topic: string): string {
  return movesMoney(refund)
    ? explainRefund(topic)
    : `The shop recorded a refund that gave no money back (${topic}).`;
}

/** The subscriber chose the other members of such an event. */
function isNewerEvent({ topic, action, fields_changed, query_variables }: OrderPayload): boolean {
  return (topic !== undefined && action !== undefined) || (fields_changed ?? query_variables) !== undefined;
}

/** The remedy for a body that cannot be delivered. */
const CHOOSE_WEBHOOK =
  'Choose the webhook “Order payment” (topic orders/paid) in the format JSON, with all fields.';

// https://shopify.dev/docs/apps/build/events/delivery-structure
const NEWER_EVENT = 'This is one of the newer events, which name what changed and bring no order.';

const ORDER_TOPICS: ReadonlySet<string> = new Set([
  'orders/paid',
  'orders/create',
  'orders/updated',
  'orders/fulfilled',
]);

/**
 * With these topics an order without a state counts as paid: two of them mean payment, and a body without a
 * topic counts too.
 */
const PAID_TOPICS: ReadonlySet<string | null> = new Set(['orders/paid', 'orders/fulfilled', null]);

const ORDER_GID = /^gid:\/\/shopify\/Order\/(\d+)$/;

function readOrderId({ id, admin_graphql_api_id: gid }: OrderPayload): string | null {
  return id ?? ORDER_GID.exec(gid ?? '')?.[1] ?? null;
}

function isOrderShaped(order: OrderPayload, topic: string | null): boolean {
  if (order.line_items === undefined) return false;
  if (topic !== null) return true;
  // Fulfilments, draft orders and abandoned checkouts have an id and lines as well, and no topic
  // distinguishes them.
  const gid = order.admin_graphql_api_id;
  const speaksOfAnother = order.order_id !== undefined || order.abandoned_checkout_url !== undefined;
  return !speaksOfAnother && (gid === undefined || ORDER_GID.test(gid));
}

/** A webhook can leave fields out: https://shopify.dev/docs/apps/build/webhooks/customize/modify_payloads */
function isOrderWithoutLines(order: OrderPayload, topic: string | null): boolean {
  if (order.line_items !== undefined || order.order_id !== undefined || order.order_edit !== undefined)
    return false;
  const isPaid = PAID_STATES.has(order.financial_status?.toLowerCase() ?? '');
  const isUnknown = order.financial_status === undefined && topic !== null && PAID_TOPICS.has(topic);
  return order.cancelled_at === undefined && (isPaid || isUnknown);
}

function findObjection(orderId: string, order: OrderPayload, topic: string | null): string | null {
  const state = order.financial_status?.toLowerCase();
  if (order.cancelled_at !== undefined) {
    return orderId === TEST_NOTIFICATION_ID
      ? "This is the shop's test notification: nothing was sold."
      : 'The order was cancelled.';
  }
  if (state === undefined && !PAID_TOPICS.has(topic)) return 'The body does not say that the order is paid.';
  if (state !== undefined && !PAID_STATES.has(state)) {
    return STATE_REASONS.get(state) ?? `The order is not paid yet (${state}).`;
  }
  const lines = order.line_items ?? [];
  const allRemoved = lines.length > 0 && lines.every(isRemoved);
  return allRemoved ? 'Every line was removed from the order.' : null;
}

function isRemoved(item: LineItemPayload): boolean {
  return readQuantity(item.current_quantity) === 0 || readQuantity(item.quantity) === 0;
}

/** The invented order of the admin's "send test notification": voided and cancelled, with any topic. */
const TEST_NOTIFICATION_ID = '820982911946154508';

const PAID_STATES: ReadonlySet<string> = new Set(['paid', 'partially_refunded']);

const STATE_REASONS: ReadonlyMap<string, string> = new Map([
  ['refunded', 'The order was refunded.'],
  ['voided', 'The payment of the order was voided.'],
]);

function translateOrder(orderId: string, order: OrderPayload): TranslatedOrder {
  const notes: string[] = [];
  const standing = (order.line_items ?? []).filter((item) => !isRemoved(item));
  return {
    orderId,
    orderNumber: order.name ?? order.order_number ?? orderId,
    customer: {
      email: order.email ?? order.contact_email ?? order.customer?.email ?? null,
      name: readName(order),
    },
    language: order.customer_locale ?? null,
    currency: order.currency ?? null,
    total: order.total_price ?? null,
    lines: translateItems(standing, notes, translateLine),
    test: order.test ?? false,
    notes,
  };
}

function readName({ customer, billing_address, shipping_address }: OrderPayload): string | null {
  const fullName = joinNames(customer?.first_name, customer?.last_name);
  return fullName ?? billing_address?.name ?? shipping_address?.name ?? null;
}

function translateLine(item: LineItemPayload, name: string, notes: string[]): OrderLine {
  const quantity = readQuantity(item.quantity);
  if (quantity === null) notes.push(`${name}: no readable quantity; taken as 1.`);
  const amount = computeAmount(item, quantity ?? 1, name, notes);
  return {
    candidates: listCandidates({ skus: [item.sku], vendorIds: [item.variant_id, item.product_id] }),
    quantity: quantity ?? 1,
    amount: amount && formatDecimal(amount),
    title: item.title ?? item.name ?? null,
  };
}

/** `price` is for one unit; discounts are allocated to whole lines. */
function computeAmount(
  item: LineItemPayload,
  quantity: number,
  name: string,
  notes: string[],
): Decimal | null {
  const price = parseDecimal(item.price ?? '');
  if (!price) {
    notes.push(`${name}: no readable price.`);
    return null;
  }
  const discounts = (item.discount_allocations ?? []).map(({ amount }) => parseDecimal(amount ?? ''));
  if (discounts.includes(null)) notes.push(`${name}: a discount that cannot be read was left out.`);
  const gross = multiplyDecimal(price, quantity);
  return discounts.filter((discount) => discount !== null).reduce(subtractDecimals, gross);
}
