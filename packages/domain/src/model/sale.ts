import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Customer, Purchase } from './purchase.ts';
import type { Receipt } from './receipt.ts';

/** Everything that recording one sale changes, to be applied as one. */
export interface NewSale {
  readonly orgId: string;
  /** Null when the customer is on record already. */
  readonly customer: Customer | null;
  readonly purchase: Purchase;
  readonly link: DownloadLink;
  readonly receipt: Receipt | null;
  readonly activity: ActivityEntry;
  readonly jobs: readonly Job[];
  readonly idempotency: { readonly key: string; readonly fingerprint: string } | null;
}

/** What became of a sale that was to be added: see {@link RecordSaleResult}. */
export type AddSaleResult =
  /** Also when the idempotency key came before with the same form: then with its buyer and its newest link of now. */
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
