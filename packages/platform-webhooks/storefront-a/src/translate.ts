import {
  type Decimal,
  formatDecimal,
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
  type Unreadable,
} from '@handover/platform-contract';
import { classifyOrder, isRemoved } from './classify.ts';
import { type LineItemPayload, type OrderPayload, OrderSchema } from './payload.ts';
import { spellHeader } from './verify.ts';

export const TOPIC_HEADERS = spellHeader('topic');

export function translate(payload: unknown, headers: KeptHeaders): readonly TranslatedEntry[] | Unreadable {
  const order = readPayload(OrderSchema, payload);
  if (!order) return { kind: 'unreadable', problem: 'The body is not a JSON object.' };
  const classification = classifyOrder(order, readHeader(headers, TOPIC_HEADERS));
  if (classification.kind !== 'completed') return [classification];
  return [{ kind: 'order', order: translateOrder(classification.orderId, order) }];
}

function translateOrder(orderId: string, order: OrderPayload): TranslatedOrder {
  const { lines, notes } = translateLines(order.line_items ?? []);
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
    lines,
    test: order.test ?? false,
    notes,
  };
}

function readName({ customer, billing_address, shipping_address }: OrderPayload): string | null {
  const customerName = [customer?.first_name, customer?.last_name]
    .filter((part) => part !== undefined)
    .join(' ');
  return customerName || (billing_address?.name ?? shipping_address?.name ?? null);
}

/** The lines that were not removed, and notes on unusual ones. */
function translateLines(items: readonly LineItemPayload[]): {
  readonly lines: readonly OrderLine[];
  readonly notes: readonly string[];
} {
  const notes: string[] = [];
  const standing = items.filter((item) => !isRemoved(item));
  const lines = standing.map((item, position) => translateLine(item, `Line ${position + 1}`, notes));
  return { lines, notes };
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
