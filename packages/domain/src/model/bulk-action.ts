import type { ActivityOrigin } from './activity.ts';
import type { PurchasePlace, PurchaseQuery } from './purchase.ts';

/** The actions on many purchases at once. */
export const BULK_ACTIONS = ['resend', 'revoke', 'restore'] as const;
/** An action on many purchases. */
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** The filter of the purchases that a bulk action changes. */
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

/** What became of the purchases so far; for `resend`, of the receipts. */
export interface BulkCounts {
  readonly done: number;
  /** Left as they were: already in that state, on their way, or changed since the action was requested. */
  readonly before: number;
  /** Not sent, because a purchase in the mail is revoked. */
  readonly revoked: number;
}

/** A bulk action, with its progress and its result. */
export interface BulkRun {
  readonly id: string;
  readonly orgId: string;
  /** `undo`: undoes the revocation that the query names. A process of an older version does not know it, and changes nothing. */
  readonly action: BulkAction | 'undo';
  /** Null: the purchases were given by id, and were changed in one transaction. */
  readonly query: BulkQuery | null;
  /** How many purchases matched when it was requested, counted up to `MAX_BULK_COUNTED`. */
  readonly total: number;
  /** The last purchase of the last page that was processed. Only older ones are left. */
  readonly place: PurchasePlace;
  /** How many purchases were processed. */
  readonly seen: number;
  readonly counts: BulkCounts;
  readonly by: ActivityOrigin;
  /** When it was requested. Purchases that are created later are not included. */
  readonly askedAt: Date;
  readonly endedAt: Date | null;
  /** The e-mail address of the person who cancelled it, or {@link AUTHOR_LOST_ACCESS}. */
  readonly cancelledBy: string | null;
}

/** `cancelledBy` of an action that ended because its author lost the right to it. */
export const AUTHOR_LOST_ACCESS = 'author-lost-access';

/** How many purchases one transaction changes: few enough for one form and about a second. */
export const MAX_BULK = 500;

/** Matching purchases are counted up to this number. */
export const MAX_BULK_COUNTED = 100_000;
