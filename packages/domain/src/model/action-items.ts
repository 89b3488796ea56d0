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

/** SKUs that no product is known for. */
export interface UnmatchedNeed {
  readonly skus: number;
  readonly orders: number;
  /** Those that most orders name, at most two. */
  readonly named: readonly { readonly sku: string; readonly orders: number }[];
  readonly newestAt: Date;
}

/** Receipts that were refused for good, and whose buyers have had no other. */
export interface RefusedReceipts {
  readonly count: number;
  readonly newest: {
    readonly purchaseId: string;
    readonly customerName: string;
    readonly customerEmail: string;
    readonly productName: string;
    /** How many more products it carries. */
    readonly moreProducts: number;
    /** The mail server's own words. */
    readonly answer: string | null;
    /** When it was refused: of several the last. */
    readonly at: Date;
  };
}

/** Receipts that wait because the organisation has sent as many mails as it may in an hour. */
export interface PostponedReceipts {
  readonly count: number;
  /** Since when the latest of them waits. */
  readonly at: Date;
  /** When the first of them may go. */
  readonly until: Date;
}

/** Orders that were read, and of which nothing was delivered, for another reason than their SKUs. */
export interface FailedOrders {
  readonly count: number;
  /** Those of them that nobody could be mailed about: see `causeOfError`. */
  readonly withoutAddress: number;
  readonly newest: {
    readonly deliveryId: string;
    /** An order may have other entries, with or without an address. */
    readonly lacksAddress: boolean;
    readonly platform: Platform;
    /** As buyer and shop know it. */
    readonly orderNumber: string;
    readonly reason: string;
    /** When it failed: of several the last, so that one that is delivered again and fails again is new. */
    readonly at: Date;
  };
}

/** Genuine requests that could not be read, unless their order came again and was: an order may be in one of them. */
export interface UnreadableDeliveries {
  readonly count: number;
  readonly newest: {
    readonly deliveryId: string;
    readonly platform: Platform;
    /** As buyer and shop know it; null where no order could be made out. */
    readonly orderNumber: string | null;
    readonly reason: string;
    readonly at: Date;
  };
}

/** The latest mail of alerts was given up. */
export interface GivenUpAlerts {
  readonly answer: string | null;
  readonly at: Date;
}

/** What is read of an organisation to tell what needs a person. Lists are short; see `ActionItems` for their bounds. */
export interface ActionItemFacts {
  readonly held: readonly HeldOrders[];
  readonly unmatched: UnmatchedNeed | null;
  readonly refused: RefusedReceipts | null;
  readonly postponed: PostponedReceipts | null;
  readonly failed: FailedOrders | null;
  readonly unreadable: UnreadableDeliveries | null;
  readonly givenUpAlerts: GivenUpAlerts | null;
  readonly subscriptionExpiresAt: Date | null;
}

/** How far a new organisation has come. */
export interface FirstSteps {
  /** The currency of orders that name none is chosen. */
  readonly hasCurrency: boolean;
  /** A published product has a live version: an order of it is delivered. */
  readonly hasPublished: boolean;
  /** A shop has a secret, or an account is mapped. */
  readonly hasConnected: boolean;
  /** An order came in, of whatever outcome. */
  readonly hasReceived: boolean;
  /** Something was sold, by webhook or by hand. */
  readonly hasSold: boolean;
}
