import type { FoundPurchase } from '../model/purchase.ts';

/**
 * How a purchase stands, in one word: the first of these that holds. `refused`, `pending`: its receipt. `used`: its
 * download is complete. `expired`, `open`: its newest link.
 */
export type PurchaseState = 'revoked' | 'refused' | 'pending' | 'used' | 'expired' | 'delivered' | 'open';

/** Says how a purchase stands at `now`. */
export function evaluatePurchase(
  purchase: Pick<FoundPurchase, 'revokedAt' | 'receiptStatus' | 'downloadUsedAt' | 'downloadExpiresAt'>,
  now: Date,
): PurchaseState {
  const { revokedAt, receiptStatus, downloadUsedAt, downloadExpiresAt } = purchase;
  if (revokedAt !== null) return 'revoked';
  if (receiptStatus === 'refused') return 'refused';
  if (receiptStatus === 'pending') return 'pending';
  if (downloadUsedAt !== null) return 'used';
  if (downloadExpiresAt !== null && downloadExpiresAt <= now) return 'expired';
  return receiptStatus === 'sent' ? 'delivered' : 'open';
}
