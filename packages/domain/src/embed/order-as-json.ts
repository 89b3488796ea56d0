import { decodeUtf8, encodeUtf8 } from '../defaults/utf8.ts';
import type { Order } from '../model/order.ts';
import type { OrderReader } from '../ports/fulfilment.ts';

/** The bytes that the log keeps of an order that came by no webhook. */
export function writeOrder(order: Order): Uint8Array {
  return encodeUtf8(JSON.stringify(order));
}

/** Reads what {@link writeOrder} wrote. */
export const ORDER_AS_JSON: OrderReader = {
  read: ({ body }) => (body ? (JSON.parse(decodeUtf8(body.bytes)) as Order) : null),
};
