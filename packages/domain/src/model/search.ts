import type { Platform } from './platform.ts';

/** The terms that a text can match in a search of everything. See `readSearch`. */
export interface SearchTerms {
  /** Beginnings of words of a buyer's name or address, or of a product's name. */
  readonly words: readonly string[];
  /** The beginning of an order's number, without the # before it. Null: the text cannot be one. */
  readonly orderNumber: string | null;
  /** A whole address, normalized. Null: the text is not one. */
  readonly address: string | null;
  /**
   * The beginning of the address of an open or failed order, whose buyer may not be a customer yet. Null: the text cannot be
   * one.
   */
  readonly addressStart: string | null;
  /** The beginning of a SKU, normalized. Null: the text cannot be one. */
  readonly sku: string | null;
}

/** A search of everything. */
export interface SearchQuery {
  readonly terms: SearchTerms;
  /** Whether sales are searched: they are for owners and admins, and products for every member. */
  readonly includesSales: boolean;
  /** The maximum number of hits of each kind. */
  readonly limit: number;
}

/**
 * `order`: a purchase. `entry`: an order in the webhook log without a purchase. `rejected`: a rejected request whose
 * unverified body names an order.
 */
export type SearchHitKind = 'order' | 'buyer' | 'entry' | 'product' | 'rejected';

/** A search result. */
export interface SearchHit {
  readonly kind: SearchHitKind;
  /** The id of the purchase, customer, entry, product or rejected request. */
  readonly id: string;
  /** An order's number, or the name of a buyer or a product. */
  readonly title: string;
  /** The buyer's name of an order; the address of a buyer, entry or rejected request; the SKU of a product that was found by it. */
  readonly detail: string | null;
  /** The product's name of an order. */
  readonly about: string | null;
  /** The platform of an order, entry or rejected request: numbers of two shops can be equal. */
  readonly platform: Platform | null;
  /** The status of an entry or a product. */
  readonly status: string | null;
  /** Whether the text equals its number, address, SKU or slug, instead of only beginning it. */
  readonly isExact: boolean;
  /** Whether it is a test order, or a purchase of one. */
  readonly isTest: boolean;
  readonly at: Date;
}
