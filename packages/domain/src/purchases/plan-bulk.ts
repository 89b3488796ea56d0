import type { BulkRun } from '../model/bulk-action.ts';
import type { FoundPurchase } from '../model/purchase.ts';

/** Why an action leaves a purchase out. `pending`: its receipt is sent anyway. */
export type LeftOut = 'pending' | 'revoked' | 'not-revoked';

export interface BulkPlan<Purchase> {
  readonly included: readonly Purchase[];
  /** How many are left out, by reason. */
  readonly leftOut: ReadonlyMap<LeftOut, number>;
}

/** Says which of the purchases the action would change. */
export function planBulk<Purchase extends Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>>(
  action: BulkRun['action'],
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
  action: BulkRun['action'],
  { receiptStatus, revokedAt }: Pick<FoundPurchase, 'receiptStatus' | 'revokedAt'>,
): LeftOut | null {
  if (action === 'restore' || action === 'undo') return revokedAt === null ? 'not-revoked' : null;
  if (revokedAt !== null) return 'revoked';
  return action === 'resend' && receiptStatus === 'pending' ? 'pending' : null;
}
