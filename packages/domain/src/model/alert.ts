import type { Platform } from './platform.ts';

/** `not-delivered`: nothing of an order could be. `receipt-refused`: for good. `unreadable`: a genuine request. */
export type AlertCause = 'not-delivered' | 'receipt-refused' | 'unreadable';

/** What the people of an organisation are told of: once for each order and cause, however often it is found. */
export interface Alert {
  readonly orgId: string;
  readonly cause: AlertCause;
  /** What went wrong, as a key: an order, or an entry or receipt that is of none. */
  readonly about: string;
  /** The entry or receipt that went wrong. A mail that begins with this alert takes its id from it, if it is free. */
  readonly subjectId: string;
  readonly details: AlertDetails;
}

/** What people need in order to look into it. */
export interface AlertDetails {
  /** The entry of the log to look at; null for a sale that came by no webhook. */
  readonly deliveryId: string | null;
  readonly platform: Platform | null;
  readonly orderNumber: string | null;
  readonly customerEmail: string | null;
  /** In a sentence. */
  readonly reason: string;
  readonly at: Date;
}

/** How an alert names an order: its number alone is not enough. */
export function aboutOrder(order: { readonly connectionId: string; readonly orderId: string }): string {
  return `order ${order.connectionId} ${order.orderId}`;
}

/** An entry that is of no order. */
export function aboutDelivery(deliveryId: string): string {
  return `delivery ${deliveryId}`;
}

/** The alert for a receipt that is given up. */
export function alertOfRefusal(
  receipt: {
    readonly orgId: string;
    readonly id: string;
    readonly connectionId: string | null;
    readonly orderId: string | null;
  },
  details: AlertDetails,
): Alert {
  const { orgId, id, connectionId, orderId } = receipt;
  const isOfOrder = connectionId !== null && orderId !== null;
  const about = isOfOrder ? aboutOrder({ connectionId, orderId }) : `receipt ${id}`;
  return { orgId, cause: 'receipt-refused', about, subjectId: id, details };
}
