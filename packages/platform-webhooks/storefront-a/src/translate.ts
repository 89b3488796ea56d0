import {
  type KeptHeaders,
  readHeader,
  readPayload,
  type TranslatedEntry,
  type TranslatedOrder,
  type Unreadable,
} from '@handover/platform-contract';
import { classifyOrder } from './classify-order.ts';
import { spellHeader } from './header-names.ts';
import { type OrderPayload, OrderSchema } from './payload.ts';
import { translateLines } from './translate-lines.ts';

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
