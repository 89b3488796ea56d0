import type { ActivityEntry, ActivityOrigin } from '../model/activity.ts';
import type { RevokePurchaseResult } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

interface RevokePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly purchases: Pick<Purchases, 'restore' | 'revoke'>;
}

/**
 * Takes a purchase back: every link it has stops working, and no new one is made for it, by anyone, until it is
 * restored. A transfer that is under way goes on to its end.
 */
export function revokePurchase(
  { clock, ids, purchases }: RevokePorts,
  orgId: string,
  purchaseId: string,
  by: ActivityOrigin,
): Promise<RevokePurchaseResult> {
  const entry = {
    kind: 'link-revoked',
    summary: 'The purchase is revoked: its links stop working.',
  } as const;
  return purchases.revoke(orgId, purchaseId, describeAction({ clock, ids }, purchaseId, by, entry));
}

/** Lets the links work again that revoking it ended, each until it expires. */
export function restorePurchase(
  { clock, ids, purchases }: RevokePorts,
  orgId: string,
  purchaseId: string,
  by: ActivityOrigin,
): Promise<RevokePurchaseResult> {
  const entry = {
    kind: 'link-restored',
    summary: 'The purchase is restored: its links work again.',
  } as const;
  return purchases.restore(orgId, purchaseId, describeAction({ clock, ids }, purchaseId, by, entry));
}

function describeAction(
  { clock, ids }: Pick<RevokePorts, 'clock' | 'ids'>,
  subjectId: string,
  by: ActivityOrigin,
  entry: Pick<ActivityEntry, 'kind' | 'summary'>,
): ActivityEntry {
  return { id: ids.next(), at: clock.now(), subjectId, ...entry, ...by };
}
