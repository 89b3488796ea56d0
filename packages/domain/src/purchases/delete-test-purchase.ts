import type { ActivityOrigin } from '../model/activity.ts';
import type { DeleteTestPurchaseResult } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

/** Deletes the purchase of a test order: only the webhook log and the activity log still show it. */
export async function deleteTestPurchase(
  {
    clock,
    ids,
    purchases,
  }: {
    readonly clock: Clock;
    readonly ids: Ids;
    readonly purchases: Pick<Purchases, 'deleteTest'>;
  },
  orgId: string,
  purchaseId: string,
  by: ActivityOrigin,
): Promise<DeleteTestPurchaseResult> {
  const summary = 'The purchase of a test order is deleted, with its links and its receipt.';
  return purchases.deleteTest(orgId, purchaseId, {
    id: ids.next(),
    at: clock.now(),
    kind: 'test-order-deleted',
    subjectId: purchaseId,
    summary,
    ...by,
  });
}
