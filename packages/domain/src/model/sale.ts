import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Customer, Purchase } from './purchase.ts';
import type { Receipt } from './receipt.ts';

/** Everything that a sale recorded by hand writes, in one transaction. */
export interface NewSale {
  readonly orgId: string;
  /** The new customer; null if the customer exists. */
  readonly customer: Customer | null;
  readonly purchase: Purchase;
  readonly link: DownloadLink;
  readonly receipt: Receipt | null;
  readonly activity: ActivityEntry;
  readonly jobs: readonly Job[];
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
}

/** The result of adding a sale: see `RecordSaleResult`. */
export type AddSaleResult =
  /** Also if the key was used before with the same form: then with the current customer and the newest link of that purchase. */
  | {
      readonly kind: 'recorded';
      readonly purchaseId: string;
      readonly customerId: string;
      readonly linkId: string;
    }
  | { readonly kind: 'customer-exists' }
  | { readonly kind: 'unknown-customer' }
  | { readonly kind: 'unknown-product' }
  | { readonly kind: 'key-reused' }
  | { readonly kind: 'changed-meanwhile' };
