import {
  joinNames,
  parseDecimal,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
} from '@handover/platform-contract';
import { normalizeName } from './normalize-name.ts';
import { given, readHundredths, translateThriveCartLines } from './thrivecart-lines.ts';
import { type ThriveCartPayload, ThriveCartSchema } from './thrivecart-payload.ts';

export function translateThriveCart(body: unknown): TranslatedEntry {
  const payload = readPayload(ThriveCartSchema, body) ?? {};
  const event = given(payload.event);
  const id = given(payload.order_id);
  const orderId = id === undefined ? null : `thrivecart:${id}`;
  const notes: string[] = [];
  const lines = translateThriveCartLines(payload, readTotal(payload), notes);
  const isCompleted =
    event === undefined ? orderId !== null && lines.length > 0 : COMPLETED.has(normalizeEvent(event));
  if (!isCompleted) return { kind: 'ignored', orderId, reason: explainEvent(event) };
  return { kind: 'order', order: { ...translateOrder(payload), orderId: orderId ?? '', lines, notes } };
}

/** One sale may be announced by both: once to the account's webhook, once to a subscription of its events. */
const COMPLETED: ReadonlySet<string> = new Set(['ordersuccess', 'ordercreated']);

function normalizeEvent(event: string): string {
  return normalizeName(event).replaceAll('.', '');
}

function explainEvent(event: string | undefined): string {
  if (event === undefined) return 'The body is not an order.';
  return normalizeEvent(event).startsWith('orderpayment')
    ? `The event ${event} is a payment of an order that order_created announces.`
    : `The event ${event} does not announce a completed order.`;
}

function translateOrder({ customer = {}, ...payload }: ThriveCartPayload) {
  const name = given(customer.name) ?? joinNames(given(customer.first_name), given(customer.last_name));
  return {
    orderNumber: given(payload.invoice_id) ?? given(payload.order_id) ?? '',
    customer: { email: given(customer.email) ?? null, name },
    currency: given(payload.currency) ?? null,
    total: readTotal(payload),
    test: payload.mode === 'test' || payload.mode_int === '1',
  } satisfies Partial<TranslatedOrder>;
}

/** The text form may carry separators of thousands; the number never does. */
function readTotal({ order }: ThriveCartPayload): string | null {
  const text = given(order?.total_str);
  return parseDecimal(text ?? '') ? (text ?? null) : (readHundredths(order?.total) ?? text ?? null);
}
