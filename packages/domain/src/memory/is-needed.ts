import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Memory } from './memory.ts';

/** Whether no delivery that was received since brought its order to its address. */
export function isNeeded(
  { deliveries }: Memory,
  { orgId, platform, receivedAt, order }: RejectedDelivery,
): boolean {
  return ![...deliveries.values()].some(
    (entry) =>
      entry.orgId === orgId &&
      entry.platform === platform &&
      entry.orderId === order?.orderId &&
      entry.normalizedEmail === order.normalizedEmail &&
      entry.receivedAt >= receivedAt &&
      entry.status !== 'error' &&
      entry.status !== 'ignored',
  );
}
