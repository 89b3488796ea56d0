import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Language } from './language.ts';
import type { Customer } from './purchase.ts';
import type { Receipt, ReceiptStatus } from './receipt.ts';

/** What a purchase was mailed with: its receipt, and every purchase that the receipt carries. */
export interface Mailing {
  readonly customer: Pick<Customer, 'id' | 'email' | 'name'>;
  /** Null when no mail was ever asked for; then there is one purchase. */
  readonly receipt: {
    readonly id: string;
    readonly status: ReceiptStatus;
    readonly language: Language | null;
    /** The mail server's latest words; null when it said none. */
    readonly answer: string | null;
  } | null;
  readonly purchases: readonly MailedPurchase[];
}

/** A purchase that a mailing gives a new link. */
export interface MailedPurchase {
  readonly id: string;
  readonly orderNumber: string | null;
  readonly productName: string;
  /** Whether its newest link was revoked: then no mail lists it until it is restored. */
  readonly revoked: boolean;
}

/** A mail in the place of an earlier one, with everything that changes for it, to be applied as one. */
export interface NewMailing {
  readonly orgId: string;
  /** Takes the place of the former receipt, which stays as a record of what was sent. */
  readonly receipt: Receipt;
  /** The receipt's customer, if not on record yet. */
  readonly customer: Customer | null;
  /**
   * A new one for each purchase that is not revoked. With `revokesFormerLinks` a revoked one has one as well, which is revoked as
   * the one before: restoring it revives nothing that was mailed.
   */
  readonly links: readonly DownloadLink[];
  /**
   * Whether the links mailed before stop working at once: somebody else has them. What was downloaded through them stays a
   * download of the customer that they were made for.
   */
  readonly revokesFormerLinks: boolean;
  readonly activity: ActivityEntry;
  readonly jobs: readonly Job[];
  /** If any of this is no longer so, it must be decided again. */
  readonly expectedVersions: Mailing;
}
