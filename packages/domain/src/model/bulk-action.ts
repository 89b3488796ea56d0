import type { ActivityOrigin } from './activity.ts';
import type { PurchasePlace, PurchaseQuery } from './purchase.ts';

/** What can be asked for of many purchases at once. */
export const BULK_ACTIONS = ['resend', 'revoke', 'restore'] as const;
/** One of those. */
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Which purchases a bulk action pages through. */
export type BulkQuery = Pick<
  PurchaseQuery,
  | 'text'
  | 'productId'
  | 'customerId'
  | 'source'
  | 'connectionId'
  | 'receipt'
  | 'period'
  | 'revocationId'
  | 'isRevoked'
  | 'isUnopened'
  | 'isRefunded'
  | 'refundedIn'
  | 'onlyTests'
>;

/** What a bulk action did so far: to purchases; of `resend`, to receipts. */
export interface BulkCounts {
  readonly done: number;
  /** It was so before, is on its way, or changed since the action was asked for. */
  readonly before: number;
  /** Not sent, because a purchase in the mail is revoked. */
  readonly revoked: number;
}

/** Something that is done to many purchases, with its result. */
export interface BulkRun {
  readonly id: string;
  readonly orgId: string;
  /** `undo`: of a revocation, which its query names. A former program, which does not know it, changes nothing. */
  readonly action: BulkAction | 'undo';
  /** Null: the purchases were named, and it was done as one. */
  readonly query: BulkQuery | null;
  /** How many purchases matched when it was asked for; the count ends at `MAX_BULK_COUNTED`. */
  readonly total: number;
  /** The last purchase of the pages that are done. Only older ones are left. */
  readonly place: PurchasePlace;
  /** How many purchases were looked at. */
  readonly seen: number;
  readonly counts: BulkCounts;
  readonly by: ActivityOrigin;
  /** When its page asked. Purchases made later are not meant. */
  readonly askedAt: Date;
  readonly endedAt: Date | null;
  /** The address of the person who ended it before its end, or {@link AUTHOR_LOST_ACCESS}. */
  readonly cancelledBy: string | null;
}

/** In place of an address: the action ended because its author may not do it any more. */
export const AUTHOR_LOST_ACCESS = 'author-lost-access';

/** Few enough for one form, one transaction and a second. */
export const MAX_BULK = 500;

/** Matching purchases are counted no further. */
export const MAX_BULK_COUNTED = 100_000;
