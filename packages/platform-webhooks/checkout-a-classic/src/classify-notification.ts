import { findAddress, findReference, hasUnknownNames } from './find-unread-order.ts';
import type { NotificationPayload } from './payload.ts';

export type Classification =
  | { readonly kind: 'completed'; readonly orderId: string }
  | { readonly kind: 'ignored' | 'error'; readonly orderId: string | null; readonly reason: string };

/**
 * Nothing in a body says which of the merchant's rules sent it: what has an order reference and a product is taken
 * for an order, as the vendor does with rebills as well.
 */
export function classifyNotification(payload: NotificationPayload, body: unknown): Classification {
  const named = readReference(payload);
  const orderId = named ?? findReference(body);
  if (orderId === null) return { kind: 'ignored', orderId, reason: NO_REFERENCE };
  const reason = findObjection(orderId, payload);
  if (reason !== null) return { kind: 'ignored', orderId, reason };
  if (named !== null && namesProduct(payload)) return { kind: 'completed', orderId };
  const hasBuyer = readEmail(payload) !== null || findAddress(body) !== null;
  return hasBuyer && hasUnknownNames(body)
    ? { kind: 'error', orderId, reason: UNKNOWN_NAMES }
    : { kind: 'ignored', orderId, reason: named === null ? NO_REFERENCE : 'The body names no product.' };
}

const NO_REFERENCE = 'The body names no order reference.';

const UNKNOWN_NAMES =
  'The order came under field names that are not known here: send the template that the integrations page shows, ' +
  'or the default parameters.';

export function readEmail({ email, CustomerEmail, customerEmail }: NotificationPayload): string | null {
  return email ?? CustomerEmail ?? customerEmail ?? null;
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
  return NOT_COMPLETED.has(status) ? `The order is not completed (${status}).` : null;
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
