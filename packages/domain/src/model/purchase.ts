import type { Candidate } from './order.ts';
import type { Platform } from './platform.ts';
import type { ReceiptStatus } from './receipt.ts';

/** Which purchases an operator wants to see. */
export interface PurchaseQuery {
  /** A name, an address, an order number, a product or its SKU; blank for all. See `searchWords`. */
  readonly text: string;
  readonly productId: string | null;
  readonly customerId: string | null;
  readonly source: PurchaseSource | null;
  /** Only what this connection brought: a platform can have several shops. */
  readonly connectionId?: string;
  /** Only those whose receipt stands so. */
  readonly receipt: ReceiptStatus | null;
  /** Only those made in this time, `until` itself excluded; null for any. */
  readonly period?: { readonly from: Date | null; readonly until: Date | null };
  readonly leavesOutTests?: boolean;
  readonly onlyTests?: true;
  /** Only what this order bought. */
  readonly ofOrder?: { readonly connectionId: string; readonly orderId: string };
  /**
   * A page of a list looks for a text that a thousand and more customers match among some of them, which is quick. What must
   * reach all of them sets this.
   */
  readonly ofEveryCustomer?: boolean;
  /** Only these. */
  readonly ids?: readonly string[];
  /** Only those that are revoked, and by this action. */
  readonly revocationId?: string;
  /** Only those that are revoked. */
  readonly isRevoked?: true;
  /** Only those that are not revoked, and of which no link was opened and no download is complete. */
  readonly isUnopened?: true;
  /** Only those whose shop said that it gave money back for their order. See `Refund`. */
  readonly isRefunded?: true;
  /** Of these, only those of which it said so first in this time, `until` itself excluded. */
  readonly refundedIn?: { readonly from: Date | null; readonly until: Date | null };
  /** The id of the last purchase of the page before. One that is unknown, or another organisation's, ends the list. */
  readonly before: string | null;
  /** Only those behind this place, whether or not there is a purchase. */
  readonly olderThan?: PurchasePlace;
  readonly limit: number;
}

/** Which purchases, without the page. */
export type PurchaseFilter = Omit<PurchaseQuery, 'before' | 'limit'>;

/** The filter that every purchase passes: others narrow it. */
export const ALL_PURCHASES = {
  text: '',
  productId: null,
  customerId: null,
  source: null,
  receipt: null,
} as const satisfies PurchaseFilter;

/** What purchases in one currency add up to. */
export interface PurchaseSum {
  /** Null for those whose currency neither the platform nor a setting says. */
  readonly currency: string | null;
  readonly purchases: number;
  /** Exact decimal text in major units. */
  readonly amount: string;
}

/** What the purchases of one product in one currency add up to, the revoked ones among them. */
export interface ProductSum extends PurchaseSum {
  readonly productId: string;
  readonly productName: string;
  readonly revoked: number;
  /** Exact decimal text in major units. */
  readonly revokedAmount: string;
}

/** A place in the list of purchases, which is sorted by time and then by id. */
export interface PurchasePlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** A purchase as the dashboard lists it. */
export interface FoundPurchase extends PurchaseRow {
  /** Of the shop that the order came from; null for a sale that was recorded by hand. */
  readonly connectionName: string | null;
  readonly orderNumber: string | null;
  /** Null when no mail was asked for. */
  readonly receiptStatus: ReceiptStatus | null;
  readonly revokedAt: Date | null;
  /** When its shop first said that it gave money back for the order, in full or in part; null: it never did. */
  readonly refundedAt: Date | null;
}

/** The platform that an order came from, or how somebody recorded it by hand. */
export type PurchaseSource = Platform | 'api' | 'dashboard';

/** Somebody who bought of one organisation. Webhooks never change a name on record. */
export interface Customer {
  readonly id: string;
  readonly orgId: string;
  /** As first typed. Identity is its normalized form: see `normalizeEmail`. */
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
   * The version that was live when it was bought: it stays reachable. Null when there was none yet: then
   * the live one is delivered, once there is one.
   */
  readonly versionId: string | null;
  /** Exact decimal text in major units. */
  readonly amount: string;
  /** Upper case; null where neither the platform nor a setting says it. */
  readonly currency: string | null;
  readonly paymentMethod: string;
  readonly source: PurchaseSource;
  readonly connectionId: string | null;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  /** The one mail that carries this purchase's link. Null when no mail was asked for. */
  readonly receiptId: string | null;
  readonly createdAt: Date;
}

/** A purchase as lists show it, its customer, product and newest link beside it. */
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
  /** Id of the newest download link. */
  readonly linkId: string | null;
  readonly downloadExpiresAt: Date | null;
  readonly downloadUsedAt: Date | null;
  readonly receiptSentAt: Date | null;
  /** Whether a test order bought it. */
  readonly isTest: boolean;
}

/** What a platform called a purchase when it was delivered. It is never taken back, whatever the name stands for later. */
export interface PurchaseAlias {
  readonly purchaseId: string;
  readonly candidate: Candidate['kind'];
  /** Normalized as mappings are. */
  readonly sku: string;
}

/** `revoked`, `not-revoked`: what it is, and stays; nothing was added to the activity. */
export type RevokePurchaseResult = 'done' | 'revoked' | 'not-revoked' | 'unknown-purchase';

/** `not-a-test`: a shop sent it, so nothing was deleted. */
export type DeleteTestPurchaseResult = 'deleted' | 'not-a-test' | 'unknown-purchase';
