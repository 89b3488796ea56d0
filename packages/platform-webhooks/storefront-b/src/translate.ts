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
  type Unreadable,
} from '@handover/platform-contract';
import { classifyOrder, isWrapped } from './classify.ts';
import { BodySchema, type LineItemPayload, type OrderPayload } from './payload.ts';

export const TOPIC_HEADERS = ['x-storefront-b-webhook-topic', 'x-wc-webhook-topic'];

export function translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable {
  const body = readPayload(BodySchema, payload);
  if (!body) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const classification = classifyOrder(body, readHeader(headers, TOPIC_HEADERS));
  if (classification.kind === 'ignored') return [classification];
  const order = translateOrder(classification.orderId, classification.order);
  return [{ kind: 'order', order: isWrapped(body) ? withNote(order, LEGACY_NOTE) : order }];
}

const LEGACY_NOTE = 'The shop sends its legacy payload: choose "WP REST API Integration v3" for the webhook.';

function translateOrder(orderId: string, order: OrderPayload): TranslatedOrder {
  const { lines, notes } = translateLines(order.line_items ?? []);
  const billing = order.billing ?? order.billing_address;
  const fullName = joinNames(billing?.first_name, billing?.last_name);
  return {
    orderId,
    orderNumber: order.number ?? order.order_number ?? orderId,
    customer: { email: billing?.email ?? null, name: fullName ?? billing?.company ?? null },
    currency: order.currency ?? null,
    total: order.total ?? null,
    lines,
    // An order does not say whether it is a test.
    test: false,
    notes,
  };
}

function withNote(order: TranslatedOrder, note: string): TranslatedOrder {
  return { ...order, notes: [note, ...order.notes] };
}

/** The purchased lines, and notes on unusual ones. */
function translateLines(items: readonly LineItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const bought = items.filter(({ quantity }) => readQuantity(quantity) !== 0);
  const lines = bought.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
}

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
