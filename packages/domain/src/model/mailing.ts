import type { ActivityEntry } from './activity.ts';
import type { DownloadLink } from './download-link.ts';
import type { Job } from './job.ts';
import type { Language } from './language.ts';
import type { Customer } from './purchase.ts';
import type { Receipt, ReceiptStatus } from './receipt.ts';

/** The receipt of a purchase, with every purchase that the receipt lists. */
export interface Mailing {
  readonly customer: Pick<Customer, 'id' | 'email' | 'name'>;
  /** Null if no mail was ever requested; then there is one purchase. */
  readonly receipt: {
    readonly id: string;
    readonly status: ReceiptStatus;
    readonly language: Language | null;
    /** The mail server's latest words; null if there are none. */
    readonly answer: string | null;
  } | null;
  readonly purchases: readonly MailedPurchase[];
}

/** A purchase of a mailing. */
export interface MailedPurchase {
  readonly id: string;
  readonly orderNumber: string | null;
  readonly productName: string;
  /** Whether its newest link is revoked: then no mail lists the purchase until it is restored. */
  readonly revoked: boolean;
}

/** A receipt that replaces an earlier one, with everything that this changes, in one transaction. */
export interface NewMailing {
  readonly orgId: string;
  /** Replaces the former receipt, which stays as a record of what was sent. */
  readonly receipt: Receipt;
  /** The receipt's customer, if it is not stored yet. */
  readonly customer: Customer | null;
  /**
   * A new link for each purchase that is not revoked. With `revokesFormerLinks` a revoked purchase gets one as well, revoked like
   * its former link, so that restoring the purchase restores no link that was mailed.
   */
  readonly links: readonly DownloadLink[];
  /**
   * Whether the links that were mailed before stop working at once, because somebody else may have them. Earlier downloads
   * through them stay with the customer for whom they were created.
   */
  readonly revokesFormerLinks: boolean;
  readonly activity: ActivityEntry;
  readonly jobs: readonly Job[];
  /** The state that this was decided on. If any of it has changed, it must be decided again. */
  readonly expectedVersions: Mailing;
}
