import type { TranslatedEntry } from '@handover/domain';

type UnfulfilledEntry = Exclude<TranslatedEntry, { readonly kind: 'order' }>;

/**
 * Adds the shop's number to an entry of which nothing is delivered, if the body is the order itself. A body about an order, such as
 * a refund, has an id and a number of its own.
 */
export function withOrderNumber<Entry extends UnfulfilledEntry>(
  entry: Entry,
  { id, number }: { readonly id: string | null | undefined; readonly number: string | undefined },
): Entry {
  const isOrder = entry.orderId !== null && entry.orderId === id;
  return isOrder && number !== undefined ? { ...entry, orderNumber: number } : entry;
}
