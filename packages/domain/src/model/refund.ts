import type { TranslatedEntry } from './order.ts';

/**
 * A shop said that it gave money back for an order, in full or in part. It revokes nothing: that is for a person to decide. Kept
 * for as long as what the order bought, when the log has forgotten the entry.
 */
export interface Refund {
  readonly connectionId: string;
  /** Whether the shop named the order by its id, or only by the number that buyer and shop know it by. */
  readonly namedBy: 'id' | 'number';
  readonly order: string;
  /** The entry of the log that said so first. */
  readonly deliveryId: string;
  readonly at: Date;
}

/** How an entry names the order that money was given back for; null where it says nothing of the kind, or names none. */
export function nameRefunded(entry: TranslatedEntry): Pick<Refund, 'namedBy' | 'order'> | null {
  if (entry.kind === 'order')
    return entry.order.isRefunded ? { namedBy: 'id', order: entry.order.orderId } : null;
  if (entry.kind !== 'ignored' || !entry.isRefunded) return null;
  if (entry.orderId !== null) return { namedBy: 'id', order: entry.orderId };
  return entry.orderNumber ? { namedBy: 'number', order: entry.orderNumber } : null;
}
