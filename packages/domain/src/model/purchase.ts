import type { Platform } from './platform.ts';

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
}
