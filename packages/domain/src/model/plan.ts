import type { ActivityEntry } from './activity.ts';
import type { Alert } from './alert.ts';
import type { DeliveryLine, DeliveryStatus, HeldFor } from './delivery.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Product } from './product.ts';
import type { Customer, Purchase, PurchaseAlias } from './purchase.ts';
import type { Receipt, ReceiptStatus } from './receipt.ts';
import type { SkuMapping } from './sku-mapping.ts';

/** Everything in the store that affects one order, read at one moment. */
export interface OrderSnapshot {
  /**
   * Changes whenever a product, a mapping, a rule of a connection, the subscription or the default currency of the organisation
   * changes. Opaque; compared for equality.
   */
  readonly catalogueRevision: string;
  /** When the organisation's subscription expires: later orders are held. Null: it never expires. */
  readonly subscriptionExpiresAt: Date | null;
  /** The currency of orders that name none: the connection's, else the organisation's. */
  readonly defaultCurrency: string | null;
  /** Whether the connection ignores test orders. */
  readonly ignoreTestOrders: boolean;
  /**
   * Mappings for its platform and for all, whose SKU is among the order's candidates: compare `listOrderCandidates` by
   * `normalizeSku`.
   */
  readonly mappings: readonly SkuMapping[];
  /**
   * The organisation's products that those mappings name, or that a `sku` candidate names by id (`normalizeSku`) or slug
   * (`normalizeSlug`), and those of the purchases.
   */
  readonly products: readonly KnownProduct[];
  /** The customer with the normalized address of the order: see `normalizeEmail`. */
  readonly customer: { readonly id: string } | null;
  /** Earlier purchases of this order. */
  readonly purchases: readonly KnownPurchase[];
}

/** The facts about a product that a decision needs. */
export type KnownProduct = Pick<Product, 'id' | 'name' | 'slug' | 'status' | 'activeVersionId'>;

/** An earlier purchase of the order. `receipt` null: no mail was requested. */
export interface KnownPurchase {
  readonly id: string;
  readonly productId: string;
  /** `attempts`: failed tries to mail it. */
  readonly receipt: { readonly id: string; readonly status: ReceiptStatus; readonly attempts: number } | null;
  /** Its customer, and the corrections that moved it there. Absent: the customer of the order's address. */
  readonly customer?: { readonly id: string; readonly corrections: readonly AddressCorrection[] };
  /** Absent if there are none: it was recorded by hand, or before aliases were stored. */
  readonly purchaseAliases?: readonly Omit<PurchaseAlias, 'purchaseId'>[];
}

/** A correction of an address, which moved a purchase from one customer (id) to another. Listed oldest first. */
export interface AddressCorrection {
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

/** Everything that the decision about one order changes, in one transaction. */
export interface Plan {
  readonly orgId: string;
  readonly delivery: DecidedDelivery;
  /** The new customer; null if the customer exists, or nothing is sold. */
  readonly customer: Customer | null;
  readonly receipt: Receipt | null;
  readonly purchases: readonly Purchase[];
  readonly links: readonly DownloadLink[];
  /** New aliases of its purchases, and of earlier purchases of the order. */
  readonly purchaseAliases: readonly PurchaseAlias[];
  /** The ids of earlier receipts that were never sent: they become pending and due at once, without a failed try. */
  readonly resend: readonly string[];
  readonly activity: readonly ActivityEntry[];
  /**
   * The order, if anything is delivered now: each of its other entries with a held or unmatched line gets a
   * `resolve-delivery` job. Null: nothing is delivered.
   */
  readonly resolves: { readonly connectionId: string; readonly orderId: string } | null;
  /** Null: the order did not fail as a whole. */
  readonly alert: Alert | null;
  readonly jobs: readonly Job[];
  /** The state that the plan was decided on. If any of it has changed at the commit, the order must be decided again. */
  readonly expectedVersions: {
    /** Null: the plan does not depend on the catalogue. */
    readonly catalogueRevision: string | null;
    /** The order, with all of its purchases: a further purchase is a change as well. */
    readonly bought: {
      readonly connectionId: string;
      readonly orderId: string;
      readonly purchaseIds: readonly string[];
    } | null;
    readonly receipts: readonly { readonly id: string; readonly status: ReceiptStatus }[];
    /** The delivery's attempts when it was read. */
    readonly attempts: number;
    /** The delivery's status when it was read, for a plan that keeps it: its receipts may have completed it meanwhile. */
    readonly status?: DeliveryStatus;
  };
}

/**
 * The new state of an entry of the log. `reason`: why it failed or waits. `note`: the note of this decision; the store keeps the
 * note from when the entry was received separately, and shows both (`joinNotes`).
 */
export interface DecidedDelivery {
  readonly id: string;
  readonly status: DeliveryStatus;
  /** What a held entry waits for; null if it is not held. */
  readonly heldFor: HeldFor | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly lines: readonly DeliveryLine[];
  readonly decidedAt: Date;
}
