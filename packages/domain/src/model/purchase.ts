import type { Candidate } from './order.ts';
import type { Platform } from './platform.ts';
import type { ReceiptStatus } from './receipt.ts';

/** The filter of a page of purchases. */
export interface PurchaseQuery {
  /** A name, an address, an order number, a product or its SKU; blank for all. See `searchWords`. */
  readonly text: string;
  readonly productId: string | null;
  readonly customerId: string | null;
  readonly source: PurchaseSource | null;
  /** Only purchases from this connection: a platform can have several. */
  readonly connectionId?: string;
  /** Only purchases whose receipt has this status. */
  readonly receipt: ReceiptStatus | null;
  /** Only purchases that were created in this period, `until` itself excluded. */
  readonly period?: { readonly from: Date | null; readonly until: Date | null };
  readonly leavesOutTests?: boolean;
  readonly onlyTests?: true;
  /** Only purchases of this order. */
  readonly ofOrder?: { readonly connectionId: string; readonly orderId: string };
  /**
   * Finds the purchases of every customer that matches the text. Without it, a text that more than a thousand customers match
   * is searched among some of them only, which is fast and enough for a page.
   */
  readonly ofEveryCustomer?: boolean;
  /** Only purchases with these ids. */
  readonly ids?: readonly string[];
  /** Only purchases that this action revoked and that are still revoked. */
  readonly revocationId?: string;
  /** Only revoked purchases. */
  readonly isRevoked?: true;
  /** Only purchases that are not revoked, without an opened link or a completed download. */
  readonly isUnopened?: true;
  /** Only purchases whose order has a `Refund`. */
  readonly isRefunded?: true;
  /** With `isRefunded`: only those whose first refund was reported in this period, `until` itself excluded. */
  readonly refundedIn?: { readonly from: Date | null; readonly until: Date | null };
  /** The id of the last purchase of the previous page. If it is unknown or belongs to another organisation, the list is empty. */
  readonly before: string | null;
  /** Only purchases after this place in the list, at which there need not be a purchase. */
  readonly olderThan?: PurchasePlace;
  readonly limit: number;
}

/** A query without its page. */
export type PurchaseFilter = Omit<PurchaseQuery, 'before' | 'limit'>;

/** The filter that every purchase passes. */
export const ALL_PURCHASES = {
  text: '',
  productId: null,
  customerId: null,
  source: null,
  receipt: null,
} as const satisfies PurchaseFilter;

/** The sum of purchases in one currency. */
export interface PurchaseSum {
  /** Null for purchases whose currency is unknown. */
  readonly currency: string | null;
  readonly purchases: number;
  /** Exact decimal text in major units. */
  readonly amount: string;
}

/** The sum of the purchases of one product in one currency, including revoked ones. */
export interface ProductSum extends PurchaseSum {
  readonly productId: string;
  readonly productName: string;
  /** The number of revoked purchases. */
  readonly revoked: number;
  /** Their sum: exact decimal text in major units. */
  readonly revokedAmount: string;
}

/** A place in the list of purchases, which is sorted by time and then by id, newest first. */
export interface PurchasePlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** A purchase as the dashboard lists it. */
export interface FoundPurchase extends PurchaseRow {
  /** Null for a sale that was recorded by hand. */
  readonly connectionName: string | null;
  readonly orderNumber: string | null;
  /** Null if no mail was requested. */
  readonly receiptStatus: ReceiptStatus | null;
  readonly revokedAt: Date | null;
  /** When the shop first reported a refund of the order, in full or in part; null if it never did. */
  readonly refundedAt: Date | null;
}

/** The platform of the order, or how a person recorded the sale. */
export type PurchaseSource = Platform | 'api' | 'dashboard';

/** A buyer at one organisation. Webhooks never change a stored name. */
export interface Customer {
  readonly id: string;
  readonly orgId: string;
  /** As first received. Its normalized form is unique: see `normalizeEmail`. */
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** One product sold in one order: the same product on several lines is still one purchase. */
export interface Purchase {
  readonly id: string;
  readonly orgId: string;
  readonly customerId: string;
  readonly productId: string;
  /**
   * The version that was live when it was bought, and that its links deliver. Null if there was none: then they deliver the live
   * version, once there is one.
   */
  readonly versionId: string | null;
  /** Exact decimal text in major units. */
  readonly amount: string;
  /** In upper case; null if neither the platform nor a setting names it. */
  readonly currency: string | null;
  readonly paymentMethod: string;
  readonly source: PurchaseSource;
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  /** Its current receipt; null if no mail was requested. */
  readonly receiptId: string | null;
  readonly createdAt: Date;
}

/** A purchase with its customer, product and newest link, for lists. */
export interface PurchaseRow {
  readonly id: string;
  readonly orgId: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly productId: string;
  readonly productName: string;
  readonly productSlug: string;
  readonly amount: string;
  readonly currency: string | null;
  readonly paymentMethod: string;
  readonly source: PurchaseSource;
  readonly orderId: string | null;
  readonly createdAt: Date;
  /** The id of the newest download link. */
  readonly linkId: string | null;
  readonly downloadExpiresAt: Date | null;
  readonly downloadUsedAt: Date | null;
  readonly receiptSentAt: Date | null;
  /** Whether it is the purchase of a test order. */
  readonly isTest: boolean;
}

/** A name that a platform used for a purchase when it was delivered. It stays, even if the name means another product later. */
export interface PurchaseAlias {
  readonly purchaseId: string;
  readonly candidate: Candidate['kind'];
  /** Normalized by `normalizeSku`. */
  readonly sku: string;
}

/** `revoked`, `not-revoked`: the purchase was in that state already; nothing was changed. */
export type RevokePurchaseResult = 'done' | 'revoked' | 'not-revoked' | 'unknown-purchase';

/** `not-a-test`: its order is not a test order; nothing was deleted. */
export type DeleteTestPurchaseResult = 'deleted' | 'not-a-test' | 'unknown-purchase';
