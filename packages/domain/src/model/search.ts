import type { Platform } from './platform.ts';

/** What a text may be that is searched for everywhere. See `readSearch`. */
export interface SearchTerms {
  /** How words begin of a buyer's name or address, or of a product's name. */
  readonly words: readonly string[];
  /** How an order's number begins, without the sign before it. Null: the text is none. */
  readonly orderNumber: string | null;
  /** A whole address, normalized. */
  readonly address: string | null;
  /** How the address of an order that waits or failed begins: such a buyer is not a customer yet. Null: the text is none. */
  readonly addressStart: string | null;
  /** How a SKU begins, normalized. Null: the text is none. */
  readonly sku: string | null;
}

/** Products are for every member of an organisation; sales are for owners and admins. */
export interface SearchQuery {
  readonly terms: SearchTerms;
  readonly includesSales: boolean;
  /** At most so many of each kind. */
  readonly limit: number;
}

/**
 * `order`: a purchase. `entry`: an order in the webhook log of which nothing was delivered, or not yet. `rejected`: an order that a
 * request says which no secret verified.
 */
export type SearchHitKind = 'order' | 'buyer' | 'entry' | 'product' | 'rejected';

/** Something that was found. */
export interface SearchHit {
  readonly kind: SearchHitKind;
  /** Of the purchase, the customer, the entry, the product or the rejected request. */
  readonly id: string;
  /** An order's number, or the name of a buyer or a product. */
  readonly title: string;
  /** Of an order its buyer's name, of a buyer, an entry and a rejected request the address, of a product the SKU that was found. */
  readonly detail: string | null;
  /** Of an order its product's name. */
  readonly about: string | null;
  /** Of an order, an entry and a rejected request: numbers of two shops can be the same. */
  readonly platform: Platform | null;
  /** Of an entry or a product. */
  readonly status: string | null;
  /** Whether the text is all of its number, address, SKU or slug, not just how that begins. */
  readonly isExact: boolean;
  /** Whether it is a test order, or what one bought. */
  readonly isTest: boolean;
  readonly at: Date;
}
