import type { Platform } from './platform.ts';
import type { ProductStatus } from './product.ts';

/** Orders that wait for a product. */
export interface HeldOrders {
  readonly productId: string;
  readonly productName: string;
  readonly productStatus: ProductStatus;
  /** Whether publishing alone delivers them. */
  readonly hasLiveVersion: boolean;
  readonly orders: number;
  readonly newestAt: Date;
}

/** SKUs without a known product. */
export interface UnmatchedSkus {
  readonly skus: number;
  readonly orders: number;
  /** At most two: those with the most orders. */
  readonly named: readonly { readonly sku: string; readonly orders: number }[];
  readonly newestAt: Date;
}

/** Receipts that were refused for good, of purchases that have no other receipt. */
export interface RefusedReceipts {
  readonly count: number;
  readonly newest: {
    readonly purchaseId: string;
    readonly customerName: string;
    readonly customerEmail: string;
    readonly productName: string;
    /** How many more products the receipt lists. */
    readonly moreProducts: number;
    /** The mail server's own words. */
    readonly answer: string | null;
    /** When it was refused. */
    readonly at: Date;
  };
}

/** Receipts that wait because the organisation has reached its hourly limit of mails. */
export interface PostponedReceipts {
  readonly count: number;
  /** When the latest of them was postponed. */
  readonly at: Date;
  /** When the first of them may be sent. */
  readonly until: Date;
}

/** Orders that were read and failed as a whole, for another reason than an unmatched SKU. */
export interface FailedOrders {
  readonly count: number;
  /** How many of them came without an e-mail address: see `causeOfError`. */
  readonly withoutAddress: number;
  readonly newest: {
    readonly deliveryId: string;
    /** Whether this entry came without an e-mail address. Other entries of its order may have one. */
    readonly lacksAddress: boolean;
    readonly platform: Platform;
    /** The number that buyer and shop know the order by. */
    readonly orderNumber: string;
    readonly reason: string;
    /** When it last failed, so that an order that is delivered again and fails again is new. */
    readonly at: Date;
  };
}

/** Genuine requests that could not be read. One whose order was received again and read is left out. */
export interface UnreadableDeliveries {
  readonly count: number;
  readonly newest: {
    readonly deliveryId: string;
    readonly platform: Platform;
    /** The number that buyer and shop know the order by; null if none could be read. */
    readonly orderNumber: string | null;
    readonly reason: string;
    readonly at: Date;
  };
}

/** The latest mail of alerts, which was given up. `answer`: the mail server's own words. */
export interface GivenUpAlerts {
  readonly answer: string | null;
  readonly at: Date;
}

/** The facts from which `listActionItems` lists what needs a person. The lists are short: see `ActionItems`. */
export interface ActionItemFacts {
  readonly held: readonly HeldOrders[];
  readonly unmatched: UnmatchedSkus | null;
  readonly refused: RefusedReceipts | null;
  readonly postponed: PostponedReceipts | null;
  readonly failed: FailedOrders | null;
  readonly unreadable: UnreadableDeliveries | null;
  readonly givenUpAlerts: GivenUpAlerts | null;
  readonly subscriptionExpiresAt: Date | null;
}

/** The setup steps that a new organisation has done. */
export interface FirstSteps {
  /** The currency of orders that name none is chosen. */
  readonly hasCurrency: boolean;
  /** A published product has a live version, so orders of it are delivered. */
  readonly hasPublished: boolean;
  /** A connection has a secret, or an account is mapped. */
  readonly hasConnected: boolean;
  /** An order was received, with any outcome. */
  readonly hasReceived: boolean;
  /** Something was sold, by webhook or by hand. */
  readonly hasSold: boolean;
}
