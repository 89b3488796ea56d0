import type { ActivityEntry } from './activity.ts';
import type { Alert } from './alert.ts';
import type { DeliveryLine, DeliveryStatus, HeldFor } from './delivery.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Product } from './product.ts';
import type { Customer, Purchase, PurchaseAlias } from './purchase.ts';
import type { Receipt, ReceiptStatus } from './receipt.ts';
import type { SkuMapping } from './sku-mapping.ts';

/** What the store knows about one order: a consistent snapshot. */
export interface OrderSnapshot {
  /** Changes whenever a product or mapping of the organisation, or its subscription, does. Opaque; compared for equality. */
  readonly catalogueRevision: string;
  /** The organisation's; from then on its orders are held. Null: it does not end. */
  readonly subscriptionExpiresAt: Date | null;
  /** For orders that name no currency: the connection's, else the organisation's. */
  readonly defaultCurrency: string | null;
  /** Whether the connection wants no test orders delivered. */
  readonly ignoreTestOrders: boolean;
  /**
   * Mappings for its platform and for all, whose SKU is among the order's candidates: compare `listOrderCandidates` by
   * `normalizeSku`.
   */
  readonly mappings: readonly SkuMapping[];
  /**
   * The organisation's products that those mappings name, or that a `sku` candidate does by its id (`normalizeSku`) or slug
   * (`normalizeSlug`), and those of the purchases.
   */
  readonly products: readonly KnownProduct[];
  /** Known by the normalized address: see `normalizeEmail`. */
  readonly customer: { readonly id: string } | null;
  /** Made for this order before. */
  readonly purchases: readonly KnownPurchase[];
}

/** What deciding needs of a product. */
export type KnownProduct = Pick<Product, 'id' | 'name' | 'slug' | 'status' | 'activeVersionId'>;

/** A product of the order that was sold before. `receipt` is null where it was sold without one. */
export interface KnownPurchase {
  readonly id: string;
  readonly productId: string;
  /** `attempts`: tries to mail it that failed. */
  readonly receipt: { readonly id: string; readonly status: ReceiptStatus; readonly attempts: number } | null;
  /** Whose it is, and how it came to that customer. Absent: the address of the order alone says it. */
  readonly customer?: { readonly id: string; readonly corrections: readonly AddressCorrection[] };
  /** None when absent: it was sold by hand, or before that was kept. */
  readonly purchaseAliases?: readonly Omit<PurchaseAlias, 'purchaseId'>[];
}

/** A purchase moved from one customer to another, since its address was corrected. Those of a purchase are listed oldest first. */
export interface AddressCorrection {
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

/** Everything that fulfilling an order changes, to be applied as one. */
export interface Plan {
  readonly orgId: string;
  readonly delivery: DecidedDelivery;
  /** Null when the customer is known already, or nothing is bought. */
  readonly customer: Customer | null;
  readonly receipt: Receipt | null;
  readonly purchases: readonly Purchase[];
  readonly links: readonly DownloadLink[];
  /** Names that its purchases, or those made before, were not known by yet. */
  readonly purchaseAliases: readonly PurchaseAlias[];
  /** Receipts of earlier runs that were never sent: pending from now on, due at once, no try counted yet. */
  readonly resend: readonly string[];
  readonly activity: readonly ActivityEntry[];
  /**
   * The order that was delivered now. Its other entries that have an open line (held or unmatched) are completed: each
   * gets a `resolve-delivery` job. Null: nothing was.
   */
  readonly resolves: { readonly connectionId: string; readonly orderId: string } | null;
  /** Null: the order did not fail as a whole. */
  readonly alert: Alert | null;
  readonly jobs: readonly Job[];
  /** If any of this is no longer so when the plan is committed, it must be decided again. */
  readonly expectedVersions: {
    /** Null: it does not rest on the catalogue. */
    readonly catalogueRevision: string | null;
    /** The order, and all purchases that there were of it: if one more is made, the order is decided again. */
    readonly bought: {
      readonly connectionId: string;
      readonly orderId: string;
      readonly purchaseIds: readonly string[];
    } | null;
    readonly receipts: readonly { readonly id: string; readonly status: ReceiptStatus }[];
    /** The delivery's attempts when it was read. */
    readonly attempts: number;
    /** The delivery's status when it was read, for a plan that leaves it: its receipts complete it meanwhile. */
    readonly status?: DeliveryStatus;
  };
}

/**
 * What the log’s entry becomes. `reason` is why it failed or waits; `note` is what the decision says: the store keeps
 * what was noted when the entry came in beside it, and shows both (`joinNotes`).
 */
export interface DecidedDelivery {
  readonly id: string;
  readonly status: DeliveryStatus;
  /** What a held entry waits for; null when it is not held. */
  readonly heldFor: HeldFor | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly lines: readonly DeliveryLine[];
  readonly decidedAt: Date;
}
