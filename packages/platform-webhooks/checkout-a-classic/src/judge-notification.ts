import type { NotificationPayload } from './payload.ts';

export type Judgement =
  | { readonly kind: 'completed'; readonly orderId: string }
  | { readonly kind: 'ignored'; readonly orderId: string | null; readonly reason: string };

/**
 * Nothing in a body says which of the merchant's rules sent it: what has an order reference and a product is taken
 * for an order, as the vendor does with rebills as well.
 */
export function judgeNotification(payload: NotificationPayload): Judgement {
  const orderId = readReference(payload);
  if (orderId === null) return { kind: 'ignored', orderId, reason: 'The body names no order reference.' };
  const reason = findObjection(orderId, payload);
  return reason === null ? { kind: 'completed', orderId } : { kind: 'ignored', orderId, reason };
}

function readReference(payload: NotificationPayload): string | null {
  const { orderId, OrderID, OrderReference, orderReference, referenceId } = payload;
  return orderId ?? OrderID ?? OrderReference ?? orderReference ?? referenceId ?? null;
}

function findObjection(orderId: string, payload: NotificationPayload): string | null {
  const [, suffix] = /-\d+([SX])$/.exec(orderId) ?? [];
  if (suffix === 'S') return 'The reference is that of a subscription, not of an order.';
  if (suffix === 'X') return 'The reference is that of a return, not of an order.';
  const status = (payload.Status ?? payload.status)?.toLowerCase() ?? '';
  if (NOT_COMPLETED.has(status)) return `The order is not completed (${status}).`;
  return namesProduct(payload) ? null : 'The body names no product.';
}

const NOT_COMPLETED: ReadonlySet<string> = new Set([
  'canceled',
  'cancelled',
  'declined',
  'failed',
  'pending',
  'refunded',
  'returned',
  'unpaid',
]);

/** A list with an item in it was meant to name one: if it does not, that is an error to be seen in the log. */
function namesProduct({ items = [], ...flat }: NotificationPayload): boolean {
  return (
    items.length > 0 || Boolean(flat.sku ?? flat.productPath ?? flat.productName ?? flat.OrderProductNames)
  );
}
