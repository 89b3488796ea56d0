import {
  countItems,
  joinNames,
  type KeptHeaders,
  listCandidates,
  type OrderLine,
  readHeader,
  readPayload,
  readQuantity,
  type TranslatedEntry,
  type TranslatedOrder,
  translateItems,
  type Unreadable,
  withOrderNumber,
} from '@handover/platform-contract';
import { type BodyPayload, BodySchema, type LineItemPayload, type OrderPayload } from './payload.ts';

export const TOPIC_HEADERS = ['x-storefront-b-webhook-topic', 'x-wc-webhook-topic'];

export function translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable {
  const body = readPayload(BodySchema, payload);
  if (!body) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const classification = classifyOrder(body, readHeader(headers, TOPIC_HEADERS));
  if (classification.kind !== 'completed') {
    const order = orderOf(body);
    const named = withOrderNumber(classification, {
      id: order.id,
      number: order.number ?? order.order_number,
    });
    return [named.kind === 'ignored' ? { ...named, ...refundedOf(order) } : named];
  }
  const notes = isWrapped(body) ? [LEGACY_NOTE] : [];
  const order = translateOrder(classification.orderId, classification.order, notes);
  return [{ kind: 'order', order: { ...order, ...refundedOf(classification.order) } }];
}

/** What is given back in part leaves the order completed. */
function refundedOf({ status, refunds = [] }: OrderPayload): { readonly isRefunded?: true } {
  return normalizeStatus(status) === 'refunded' || refunds.length > 0 ? { isRefunded: true } : {};
}

function orderOf(body: BodyPayload): OrderPayload {
  return isWrapped(body) ? (body.order ?? {}) : body;
}

const LEGACY_NOTE = 'The shop sends its legacy payload: choose "WP REST API Integration v3" for the webhook.';

type Classification =
  | { readonly kind: 'completed'; readonly orderId: string; readonly order: OrderPayload }
  | { readonly kind: 'ignored' | 'error'; readonly orderId: string | null; readonly reason: string };

/**
 * Whether a body is an order that is paid and not cancelled. An order arrives several times and with
 * several topics, usually unpaid first, so its own status decides; the topic only excludes bodies that are
 * not orders.
 */
function classifyOrder(body: BodyPayload, topicHeader: string | null): Classification {
  const topic = topicHeader?.toLowerCase() ?? null;
  const order = orderOf(body);
  if (topic !== null && !ORDER_TOPICS.has(topic)) {
    const orderId = findSubject(order.id, body, topic);
    return { kind: 'ignored', orderId, reason: explainTopic(topic) };
  }
  if (isPaidWithoutLines(order, topic)) return { kind: 'error', orderId: order.id ?? null, reason: NO_LINES };
  if (order.id === undefined || order.line_items === undefined || isRefund(order, topic)) {
    return { kind: 'ignored', orderId: null, reason: explainShape(body) };
  }
  const reason = findObjection(order);
  return reason === null
    ? { kind: 'completed', orderId: order.id, order }
    : { kind: 'ignored', orderId: order.id, reason };
}

/** Some plugins send the status as the shop stores it. */
function normalizeStatus(status: string | undefined): string | undefined {
  return status?.toLowerCase().replace(/^wc-/, '');
}

function isWrapped(body: BodyPayload): boolean {
  return body.id === undefined && body.order !== undefined;
}

const ORDER_TOPICS: ReadonlySet<string> = new Set(['order.created', 'order.updated', 'order.restored']);

/** Hooks whose first argument is an order's id. */
const ORDER_HOOKS = /^woocommerce_(order_status_|payment_complete)/;

function findSubject(id: string | undefined, body: BodyPayload, topic: string): string | null {
  if (topic.startsWith('order.')) return id ?? null;
  return ORDER_HOOKS.test(body.action ?? '') ? (body.arg ?? null) : null;
}

function explainTopic(topic: string): string {
  return topic.startsWith('action.')
    ? `The topic ${topic} brings no order, only an id: choose the topic "Order updated" for the webhook.`
    : `The topic ${topic} does not announce a completed order.`;
}

function explainShape({ id, code, message }: BodyPayload): string {
  // https://github.com/woocommerce/woocommerce/issues/37806: the shop reads the order with the rights of
  // the webhook's creator.
  return id === undefined && code !== undefined && message !== undefined
    ? "The shop sent an error instead of the order: the webhook's user may not read orders."
    : 'The body is not an order.';
}

/** Refunds have an id and lines too, but neither a status nor a topic. */
function isRefund(order: OrderPayload, topic: string | null): boolean {
  return topic === null && (order.refunded_by !== undefined || order.refunded_payment !== undefined);
}

/** A plug-in of the shop can leave members out. Ignored, the order would be lost. */
function isPaidWithoutLines(order: OrderPayload, topic: string | null): boolean {
  const { id, line_items: lines, status } = order;
  const isPaid = COMPLETED.has(normalizeStatus(status) ?? '');
  return id !== undefined && lines === undefined && isPaid && !isRefund(order, topic);
}

const NO_LINES =
  'The order came without its lines. Choose the topic “Order updated” and “WP REST API Integration v3” for the webhook.';

/**
 * The shop always sends a status, so a signed order without one comes from a sender that announces
 * completed orders.
 */
function findObjection({ status: text, line_items: lines = [] }: OrderPayload): string | null {
  const status = normalizeStatus(text);
  if (status !== undefined && !COMPLETED.has(status)) {
    return STATUS_REASONS.get(status) ?? `The status ${status} is not that of a completed order.`;
  }
  const allRemoved = lines.length > 0 && lines.every(({ quantity }) => readQuantity(quantity) === 0);
  return allRemoved ? 'Every line was removed from the order.' : null;
}

const COMPLETED: ReadonlySet<string> = new Set(['processing', 'completed']);

const STATUS_REASONS: ReadonlyMap<string, string> = new Map([
  ['pending', 'The order is not paid yet (pending).'],
  ['on-hold', 'The order waits until the merchant confirms its payment (on-hold).'],
  ['checkout-draft', 'The buyer has not finished the checkout yet (checkout-draft).'],
  ['cancelled', 'The order was cancelled.'],
  ['refunded', 'The order was refunded.'],
  ['failed', 'The payment of the order failed.'],
  ['trash', "The order is in the shop's trash."],
]);

function translateOrder(orderId: string, order: OrderPayload, notes: string[]): TranslatedOrder {
  const billing = order.billing ?? order.billing_address;
  const fullName = joinNames(billing?.first_name, billing?.last_name);
  return {
    orderId,
    orderNumber: order.number ?? order.order_number ?? orderId,
    customer: { email: billing?.email ?? null, name: fullName ?? billing?.company ?? null },
    language: order.meta_data?.find(({ key }) => key === LANGUAGE)?.value ?? null,
    currency: order.currency ?? null,
    total: order.total ?? null,
    lines: translateItems(order.line_items ?? [], notes, translateLine),
    // An order does not say whether it is a test.
    test: false,
    notes,
  };
}

/** Of WPML: https://wpml.org/documentation/related-projects/woocommerce-multilingual/ */
const LANGUAGE = 'wpml_language';

function translateLine(item: LineItemPayload, name: string, notes: string[]): OrderLine {
  const quantity = countItems(item.quantity, name, notes);
  if (item.total === undefined) notes.push(`${name}: no readable total.`);
  return {
    candidates: listCandidates({ skus: [item.sku], vendorIds: [item.variation_id, item.product_id] }),
    quantity,
    amount: item.total ?? null,
    title: item.name ?? null,
  };
}
