import type { ActivityEntry } from './activity.ts';
import type { DeliveryLine, DeliveryStatus } from './delivery.ts';
import type { DownloadClient, FileProgress } from './download-session.ts';
import type { ProductFile } from './product.ts';
import type { FoundPurchase } from './purchase.ts';
import type { ReceiptStatus } from './receipt.ts';

/** All that is known of one purchase, for the page that tells its story. */
export interface PurchaseRecord extends FoundPurchase {
  /** What its link delivers; null while the product has no live version. */
  readonly version: { readonly label: string; readonly files: readonly ProductFile[] } | null;
  /** How many purchases its buyer has, this one included. */
  readonly purchasesOfBuyer: number;
  /** What else its order bought, by the names of the products: each is revoked by itself. */
  readonly othersOfOrder: readonly OtherPurchase[];
  /** Entries of the webhook log that name it, oldest first. */
  readonly deliveries: readonly PurchaseDelivery[];
  /**
   * What the shop said of its order, after it placed it, that delivers nothing, such as a refund; oldest first. The order may
   * have been held at that time.
   */
  readonly laterEvents: readonly PurchaseEvent[];
  /** The one that carries it now. Null when no mail was asked for. */
  readonly receipt: PurchaseReceipt | null;
  /** Newest first. */
  readonly links: readonly PurchaseLink[];
  /** Downloads through any of its links, oldest first. */
  readonly sessions: readonly PurchaseSession[];
  /** What was done to it, oldest first. */
  readonly activity: readonly ActivityEntry[];
}

/** Another purchase of the same order. */
export interface OtherPurchase extends Pick<FoundPurchase, 'id' | 'productName' | 'revokedAt'> {}

/** An entry of the log whose order holds this purchase, and how its line was named. */
export interface PurchaseDelivery extends Pick<DeliveryLine, 'sku' | 'candidate' | 'outcome'> {
  readonly id: string;
  readonly receivedAt: Date;
  readonly status: DeliveryStatus;
  readonly decidedAt: Date | null;
}

/** An entry of the log that was ignored. */
export interface PurchaseEvent {
  readonly deliveryId: string;
  readonly receivedAt: Date;
  readonly reason: string;
}

/** A receipt of it, as far as its sending has come. */
export interface PurchaseReceipt {
  readonly id: string;
  readonly status: ReceiptStatus;
  /** Tries that failed. */
  readonly attempts: number;
  /** Whether it waits because the organisation has sent enough mails for now. */
  readonly postponed: boolean;
  /** The mail server's own words, and when it said them; both null before the first try, or while it is postponed. */
  readonly lastAnswer: string | null;
  readonly lastAnswerAt: Date | null;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
  /** Whether the mail that was sent is without the purchase, which was revoked then. */
  readonly leavesOut: boolean;
}

/** A link to it, with how it was used. */
export interface PurchaseLink {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly openedCount: number;
  /** Null also for a link whose first opening came before that was recorded. */
  readonly firstOpenedAt: Date | null;
  readonly lastOpenedAt: Date | null;
  readonly usedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A download of it. `completedAt`: when the downloader said that all had arrived. */
export interface PurchaseSession {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastByteAt: Date;
  readonly completedAt: Date | null;
  readonly client: DownloadClient | null;
  readonly files: readonly FileProgress[];
}

/** Of each kind of fact at most so many are read, the newest. */
export const RECORD_LIMIT = 20;
