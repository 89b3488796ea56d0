import type { Platform } from './platform.ts';

/** A SKU without a known product, and the entries of the log that contain it. */
export interface UnmatchedSku {
  /** As a platform sent it. */
  readonly sku: string;
  /** Its normalized form: unique in the list, and part of the cursor. */
  readonly key: string;
  /** The platforms that sent it, in alphabetical order. */
  readonly platforms: readonly Platform[];
  /** The number of entries. */
  readonly entries: number;
  /** The newest entry. */
  readonly newest: {
    readonly deliveryId: string;
    readonly receivedAt: Date;
  };
}

/** The last SKU of a page of unmatched SKUs, which are listed by their newest entries, newest first. */
export interface UnmatchedCursor {
  readonly deliveryId: string;
  readonly key: string;
}

/** An order that is held for a product. */
export interface HeldOrder {
  /** Its first entry with a held line. */
  readonly deliveryId: string;
  readonly receivedAt: Date;
}
