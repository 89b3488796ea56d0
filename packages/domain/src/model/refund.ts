import type { TranslatedEntry } from './order.ts';

/**
 * A shop reported a refund of an order, in full or in part. It revokes nothing: a person decides that. It is kept as long as the
 * purchases of the order, even after its entry in the log was deleted.
 */
export interface Refund {
  readonly connectionId: string;
  /** Whether `order` is the order's id, or only the number that buyer and shop know it by. */
  readonly namedBy: 'id' | 'number';
  readonly order: string;
  /** The entry of the log that reported it first. */
  readonly deliveryId: string;
  readonly at: Date;
}

/** The order whose refund an entry reports; null if it reports none, or names no order. */
export function nameRefunded(entry: TranslatedEntry): Pick<Refund, 'namedBy' | 'order'> | null {
  if (entry.kind === 'order')
    return entry.order.isRefunded ? { namedBy: 'id', order: entry.order.orderId } : null;
  if (entry.kind !== 'ignored' || !entry.isRefunded) return null;
  if (entry.orderId !== null) return { namedBy: 'id', order: entry.orderId };
  return entry.orderNumber ? { namedBy: 'number', order: entry.orderNumber } : null;
}
