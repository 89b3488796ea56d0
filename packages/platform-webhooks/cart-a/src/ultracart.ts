import {
  countItems,
  explainRefund,
  joinNames,
  listCandidates,
  type OrderLine,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  translateBatch,
  translateItems,
  type Unreadable,
} from '@handover/platform-contract';
import { normalizeName, type UltraCartItem, type UltraCartOrder, UltraCartSchema } from './payload.ts';

/** Each event is an object with one member: its name, with the current order as the value. */
export function translateUltraCart(batch: readonly unknown[]): readonly TranslatedEntry[] | Unreadable {
  return translateBatch(batch.flatMap(listMembers), translateEvent);
}

function listMembers(event: unknown): readonly (readonly [name: string, order: unknown])[] {
  const isObject = typeof event === 'object' && event !== null && !Array.isArray(event);
  return isObject ? Object.entries(event) : [['', event]];
}

function translateEvent([event, payload]: readonly [name: string, order: unknown]): TranslatedEntry {
  const order = readPayload(UltraCartSchema, payload) ?? {};
  const orderId = order.order_id === undefined ? null : `ultracart:${order.order_id}`;
  const reason = findObjection(event, order);
  if (reason !== null)
    return { kind: 'ignored', orderId, reason, ...(isRefund(event, order) && { isRefunded: true }) };
  return { kind: 'order', order: translateOrder(orderId ?? '', order) };
}

function translateOrder(orderId: string, order: UltraCartOrder): TranslatedOrder {
  const { billing, summary, payment } = order;
  const notes = explainMissing(order);
  return {
    orderId,
    orderNumber: order.order_id ?? orderId,
    customer: {
      email: billing?.email ?? null,
      name: joinNames(billing?.first_name, billing?.last_name) ?? billing?.company ?? null,
    },
    currency: summary?.total?.currency_code ?? order.currency_code ?? null,
    total: summary?.total?.value ?? null,
    lines: translateItems(order.items ?? [], notes, translateLine),
    test: payment?.test_order === true,
    notes,
  };
}

/** Without expansions a webhook contains only ids, so the log must say what to change. */
function explainMissing({ billing, items, summary }: UltraCartOrder): string[] {
  const parts = [billing ? [] : ['billing'], items ? [] : ['item'], summary ? [] : ['summary']].flat();
  return parts.length === 0
    ? []
    : [`Parts of the order are missing: add the expansions ${parts.join(', ')} to the webhook in UltraCart.`];
}

function translateLine(item: UltraCartItem, name: string, notes: string[]): OrderLine {
  return {
    candidates: listCandidates({ skus: [item.merchant_item_id, item.manufacturer_sku], vendorIds: [] }),
    quantity: countItems(item.quantity, name, notes),
    amount: item.total_cost_with_discount?.value ?? null,
    title: item.description ?? null,
  };
}

/** Why an event is not a completed order, in a sentence; null when it is one. */
function findObjection(event: string, { payment, current_stage: stage }: UltraCartOrder): string | null {
  const name = normalizeName(event);
  if (name === REFUNDED) return explainRefund(event);
  if (name !== PAID && name !== CREATED) {
    return event === ''
      ? 'An event of the batch is not an object.'
      : `The event ${event} does not announce a completed order.`;
  }
  const status = payment?.payment_status;
  if (NOT_PAID.has(normalizeName(status))) return `The order is not paid (${status}).`;
  if (REJECTED.has(normalizeName(stage))) return 'The order was rejected.';
  if (name === PAID || payment?.payment_dts !== undefined) return null;
  return payment
    ? 'The order is not paid yet.'
    : `${event} does not say whether the order is paid: let UltraCart send order_payment_process as well.`;
}

function isRefund(event: string, { payment }: UltraCartOrder): boolean {
  return normalizeName(event) === REFUNDED || normalizeName(payment?.payment_status) === 'refunded';
}

const REFUNDED = 'orderrefund';
const PAID = 'orderpaymentprocess';
const CREATED = 'ordercreate';

const NOT_PAID: ReadonlySet<string> = new Set(['declined', 'voided', 'refunded', 'capturefailed']);
const REJECTED: ReadonlySet<string> = new Set(['rejected', 'rej']);
