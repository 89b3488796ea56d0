import { subjectOfRejected } from '../model/dismissal.ts';
import type { RejectedDelivery } from '../model/rejected-delivery.ts';
import type { Memory } from './memory.ts';

/** Whether it is not dismissed, and no delivery that was received since brought its order to its address. */
export function isNeeded(memory: Memory, rejected: RejectedDelivery): boolean {
  return !isRejectedDismissed(memory, rejected) && isNotAccepted(memory, rejected);
}

export function isRejectedDismissed(
  { dismissals }: Memory,
  { orgId, id }: Pick<RejectedDelivery, 'orgId' | 'id'>,
): boolean {
  return dismissals.has(`${orgId} ${subjectOfRejected(id)}`);
}

export function isNotAccepted(
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
