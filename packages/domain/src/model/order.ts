import type { Platform } from './platform.ts';

/** A completed order, independent of its platform. */
export interface Order extends TranslatedOrder {
  readonly orgId: string;
  readonly platform: Platform;
  /**
   * The connection whose secret verified the delivery. An order id is unique within its connection, so two platforms must not
   * share a connection id: an order id that one of them sold would not be sold again for the other.
   */
  readonly connectionId: string;
}

/** What a translator reads from a payload, which does not name the organisation or the connection. */
export interface TranslatedOrder {
  /** Unique per connection. At most 200 characters. */
  readonly orderId: string;
  /** The number that buyer and shop know the order by. */
  readonly orderNumber: string;
  readonly customer: { readonly email: string | null; readonly name: string | null };
  /** The buyer's language, as a tag such as `de-AT`; absent if the platform does not send it. */
  readonly language?: string | null;
  /** As received, in upper case; null if the platform does not send it. */
  readonly currency: string | null;
  /** Exact decimal text in major units, as received; null if missing. */
  readonly total: string | null;
  readonly lines: readonly OrderLine[];
  /** A test order of the platform. It is fulfilled like any other, unless its connection ignores test orders. */
  readonly test: boolean;
  /** The shop refunded a part of the order; the rest is delivered. See `Refund`. */
  readonly isRefunded?: true;
  /** Sentences for the operator about what was unusual and did not prevent the translation. */
  readonly notes: readonly string[];
}

/** One line of an order, as its platform sent it. `title` is for people, and never identifies a product. */
export interface OrderLine {
  /** The names that can identify the product, best first: the first that resolves wins. */
  readonly candidates: readonly Candidate[];
  /** A whole number, at least 1. */
  readonly quantity: number;
  /** The price of the whole line: exact decimal text in major units; null if missing. */
  readonly amount: string | null;
  readonly title: string | null;
  /** If one text listed several products: that text. It may turn out to be the name of one product (`joinListedLines`). */
  readonly listedIn?: string;
}

/**
 * A name in an order line that can identify a product. `sku`: the merchant chose it; it can match a mapping, or the id or
 * slug of a product. `vendor-id`: the platform gave it; it matches only mappings for that platform, because product 93 of one
 * platform is not product 93 of another.
 */
export interface Candidate {
  readonly kind: 'sku' | 'vendor-id';
  readonly value: string;
}

/** The translation of one event of a payload. */
export type TranslatedEntry =
  | { readonly kind: 'order'; readonly order: TranslatedOrder }
  | {
      readonly kind: 'ignored';
      /** The id of the order that the event is about, if it names one. */
      readonly orderId: string | null;
      /** The number that buyer and shop know that order by, if the event has it. */
      readonly orderNumber?: string | null;
      /** Why this is not a completed order: a sentence. */
      readonly reason: string;
      /** The event reports a refund of that order, in full or in part. See `Refund`. */
      readonly isRefunded?: true;
    }
  /** A completed order that cannot be translated: an operator has to look at it. */
  | {
      readonly kind: 'error';
      readonly orderId: string | null;
      readonly orderNumber?: string | null;
      /** What is wrong with it: a sentence. */
      readonly reason: string;
    };
