import type { Platform } from './platform.ts';

/** A completed sale in the words of no platform in particular: what every translator makes of its payload. */
export interface Order extends TranslatedOrder {
  readonly orgId: string;
  readonly platform: Platform;
  /**
   * The shop or account whose secret verified the delivery. Order ids are unique only within one, whatever the platform: two
   * platforms under one id count as one shop, and what one sells under an order id, the other does not sell again.
   */
  readonly connectionId: string;
}

/** An order as a translator can know it: it sees a payload, not whose it is. */
export interface TranslatedOrder {
  /** Unique per connection. At most 200 characters. */
  readonly orderId: string;
  /** The number that buyer and shop know the order by. */
  readonly orderNumber: string;
  readonly customer: { readonly email: string | null; readonly name: string | null };
  /** The language in which the buyer ordered, as a tag such as `de-AT`. Left out: the platform does not say. */
  readonly language?: string | null;
  /** As received, upper case; null when the platform does not say. */
  readonly currency: string | null;
  /** Exact decimal text in major units, as received; null when missing. */
  readonly total: string | null;
  readonly lines: readonly OrderLine[];
  /** A test order of the platform. It is fulfilled like any other, unless its connection ignores those. */
  readonly test: boolean;
  /** The shop says that it gave money back for it, in part: the rest is delivered. See `Refund`. */
  readonly isRefunded?: true;
  /** What was odd but did not stop us, in sentences for the operator. */
  readonly notes: readonly string[];
}

/** One line of an order, as its platform sent it. `title` is for people; it never chooses a product. */
export interface OrderLine {
  /** What may name the product, best first: the first that resolves wins. */
  readonly candidates: readonly Candidate[];
  /** A whole number, at least 1. */
  readonly quantity: number;
  /** What this line costs in all: exact decimal text in major units; null when not given. */
  readonly amount: string | null;
  readonly title: string | null;
  /** Where one text lists several products: that text, which may after all be the name of one. */
  readonly listedIn?: string;
}

/**
 * A `sku` is a text that the merchant chose: it may match a mapping or a product's slug.
 * A `vendor-id` is a number that the platform gave: it matches only mappings made for that platform,
 * because product 93 of one shop is not product 93 of another.
 */
export interface Candidate {
  readonly kind: 'sku' | 'vendor-id';
  readonly value: string;
}

/** What a translator makes of one event of a payload. */
export type TranslatedEntry =
  | { readonly kind: 'order'; readonly order: TranslatedOrder }
  | {
      readonly kind: 'ignored';
      /** The order it speaks of, where it names one. */
      readonly orderId: string | null;
      /** The number by which buyer and shop know that order, where the event has it. */
      readonly orderNumber?: string | null;
      /** A sentence that says why this is not a completed order. */
      readonly reason: string;
      /** It says that money was given back for that order, in full or in part. See `Refund`. */
      readonly isRefunded?: true;
    }
  /** A completed order that nothing can be made of: an operator has to look. */
  | {
      readonly kind: 'error';
      readonly orderId: string | null;
      readonly orderNumber?: string | null;
      /** A sentence that says what is wrong with it. */
      readonly reason: string;
    };
