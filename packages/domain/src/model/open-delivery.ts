import type { Platform } from './platform.ts';

/** A SKU that no product is known for, and the entries of the log that wait to hear what it means. */
export interface UnmatchedSku {
  /** As a platform spelt it. */
  readonly sku: string;
  /** How it is told from others, and paged by: trimmed and case-folded. */
  readonly key: string;
  /** Which platforms sent it, in the order of the alphabet. */
  readonly platforms: readonly Platform[];
  /** How many entries hold it. */
  readonly entries: number;
  /** The newest of them. */
  readonly newest: {
    readonly deliveryId: string;
    readonly receivedAt: Date;
  };
}

/** Where a page of unmatched SKUs ended: they go from the one that came last to the one that came first. */
export interface UnmatchedMark {
  readonly deliveryId: string;
  readonly key: string;
}

/** An order with a line that is held for a product. */
export interface HeldOrder {
  /** Its first entry with such a line. */
  readonly deliveryId: string;
  readonly receivedAt: Date;
}
