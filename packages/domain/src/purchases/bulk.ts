import type { ActivityOrigin } from '../model/activity.ts';
import type { BulkAction } from '../model/bulk-action.ts';
import type { FoundPurchase } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { Purchases } from '../ports/purchases.ts';

/** Few enough for one form, one transaction and a second. */
export const MAX_BULK = 500;

/** Why an action leaves a purchase out. `pending`: its receipt is sent anyway. */
export type LeftOut = 'pending' | 'revoked' | 'not-revoked';

export interface BulkPlan<Purchase> {
  readonly included: readonly Purchase[];
  /** How many are left out, by reason. */
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** Says which of the purchases the action would change. */
export function planBulk<Purchase extends Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>>(
  action: BulkAction,
  purchases: readonly Purchase[],
): BulkPlan<Purchase> {
  const included: Purchase[] = [];
  const leftOut = new Map<LeftOut, number>();
  for (const purchase of purchases) {
    const reason = leaveOut(action, purchase);
    if (reason === null) included.push(purchase);
    else leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  }
  return { included, leftOut };
}

function leaveOut(
  action: BulkAction,
  { receiptStatus, revokedAt }: Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>,
): LeftOut | null {
  if (action === 'restore') return revokedAt === null ? 'not-revoked' : null;
  if (revokedAt !== null) return 'revoked';
  return action === 'resend' && receiptStatus === 'pending' ? 'pending' : null;
}

interface BulkPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly purchases: Pick<Purchases, 'restoreAll' | 'revokeAll'>;
}

/** Takes purchases back, as `revokePurchase` does, as one. Answers with how many were not revoked before. */
export async function revokePurchases(
  ports: BulkPorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
): Promise<number> {
  const summary = 'The purchase is revoked: its links stop working.';
  const entries = describeAll(ports, purchaseIds, { kind: 'link-revoked', summary, ...by });
  return (await ports.purchases.revokeAll(orgId, entries)).length;
}

/** Lets the links work again that revoking ended, as `restorePurchase` does, as one. */
export async function restorePurchases(
  ports: BulkPorts,
  orgId: string,
  purchaseIds: readonly string[],
  by: ActivityOrigin,
): Promise<number> {
  const summary = 'The purchase is restored: its links work again.';
  const entries = describeAll(ports, purchaseIds, { kind: 'link-restored', summary, ...by });
  return (await ports.purchases.restoreAll(orgId, entries)).length;
}

/** An entry for each purchase, named once however often it is given. */
function describeAll(
  { clock, ids }: Pick<BulkPorts, 'clock' | 'ids'>,
  purchaseIds: readonly string[],
  entry: { readonly kind: 'link-revoked' | 'link-restored'; readonly summary: string } & ActivityOrigin,
) {
  const at = clock.now();
  return [...new Set(purchaseIds)]
    .slice(0, MAX_BULK)
    .map((subjectId) => ({ id: ids.next(), at, subjectId, ...entry }));
}
