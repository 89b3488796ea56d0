import type { ActivityEntry } from './activity.ts';
import type { DeliveryLine, DeliveryStatus } from './delivery.ts';
import type { DownloadClient, FileProgress } from './download-session.ts';
import type { ProductFile } from './product.ts';
import type { FoundPurchase } from './purchase.ts';
import type { ReceiptStatus } from './receipt.ts';

/** All data of one purchase, for its page. */
export interface PurchaseRecord extends FoundPurchase {
  /** The version that its link delivers; null while the product has no live version. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  /** The number of purchases of its buyer, including this one. */
  readonly purchasesOfBuyer: number;
  /** The other purchases of its order, by product name. Each is revoked separately. */
  readonly othersOfOrder: readonly OtherPurchase[];
  /** Entries of the webhook log with this purchase, oldest first. */
  readonly deliveries: readonly PurchaseDelivery[];
  /** Ignored events about its order after the order itself, such as a refund, oldest first. */
  readonly laterEvents: readonly PurchaseEvent[];
  /** Its current receipt; null if no mail was requested. */
  readonly receipt: PurchaseReceipt | null;
  /** Newest first. */
  readonly links: readonly PurchaseLink[];
  /** Downloads through any of its links, oldest first. */
  readonly sessions: readonly PurchaseSession[];
  /** The entries of the activity log about it, oldest first. */
  readonly activity: readonly ActivityEntry[];
}

/** Another purchase of the same order. */
export interface OtherPurchase extends Pick<FoundPurchase, 'id' | 'productName' | 'revokedAt'> {}

/** An entry of the log with this purchase, and the SKU of its line. */
export interface PurchaseDelivery extends Pick<DeliveryLine, 'sku' | 'candidate' | 'outcome'> {
  readonly id: string;
  readonly receivedAt: Date;
  readonly status: DeliveryStatus;
  readonly decidedAt: Date | null;
}

/** An ignored entry of the log. */
export interface PurchaseEvent {
  readonly deliveryId: string;
  readonly receivedAt: Date;
  readonly reason: string;
}

/** The current receipt of a purchase, with the state of its mail. */
export interface PurchaseReceipt {
  readonly id: string;
  readonly status: ReceiptStatus;
  /** The number of failed tries. */
  readonly attempts: number;
  /** Whether it is postponed, because the organisation has reached its hourly limit of mails. */
  readonly postponed: boolean;
  /** The mail server's latest answer and its time; both null before the first try, or while it is postponed. */
  readonly lastAnswer: string | null;
  readonly lastAnswerAt: Date | null;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
  /** Whether the mail was sent without this purchase, which was revoked at that time. */
  readonly leavesOut: boolean;
}

/** A link of a purchase, and its use. */
export interface PurchaseLink {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly openedCount: number;
  /** Null also for a link that was first opened before this time was recorded. */
  readonly firstOpenedAt: Date | null;
  readonly lastOpenedAt: Date | null;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A download of a purchase. `completedAt`: when the client reported that all has arrived. */
export interface PurchaseSession {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly completedAt: Date | null;
  readonly client: DownloadClient | null;
  readonly files: readonly FileProgress[];
}

/** The maximum number of rows of each kind in a record: the newest ones. */
export const RECORD_LIMIT = 20;
