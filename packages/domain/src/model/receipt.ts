import type { TraceContext } from './delivery.ts';
import type { Language } from './language.ts';
import type { EmailStatus, PendingEmailFacts } from './pending-email.ts';

/** A receipt that was claimed for sending, with its content. */
export interface PendingReceipt extends PendingEmailFacts {
  readonly kind: 'receipt';
  readonly orgId: string;
  /** When the receipt was created. */
  readonly orderedAt: Date;
  /** The buyer's language; null or absent if it is not known. */
  readonly language?: Language | null;
  /** Without a language or a time zone, the defaults apply. */
  readonly organisation: {
    readonly name: string;
    readonly email: string;
    readonly language?: Language;
    readonly timeZone?: string;
  };
  readonly customer: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly items: readonly PendingReceiptItem[];
  /** Null: no delivery sold this, or it was deleted because of its age. A store may leave it out. */
  readonly delivery?: ReceiptDelivery | null;
}

/** The delivery that a receipt is for. */
export interface ReceiptDelivery {
  readonly id: string;
  readonly receivedAt: Date;
  readonly traceContext?: TraceContext | null;
}

/** An item of a receipt, with the id of the link instead of its URL. */
export interface PendingReceiptItem extends Omit<ReceiptItem, 'downloadUrl'> {
  readonly linkId: string;
}

/** The status of a receipt. */
export type ReceiptStatus = EmailStatus;

/** The e-mail with the links of the purchases of one sale. */
export interface Receipt {
  readonly id: string;
  readonly orgId: string;
  readonly customerId: string;
  /** The buyer's language; null if it is not known. */
  readonly language: Language | null;
  readonly createdAt: Date;
}

/** The content of a receipt that a mail server accepted. Names and addresses may have changed since. */
export interface SentReceipt
  extends Pick<PendingReceipt, 'language' | 'organisation' | 'customer' | 'orderNumber' | 'items'> {
  /** As {@link ReceiptMail.worksUntil}. */
  readonly worksUntil: Date;
}

/** A receipt for its page in the dashboard: as it was sent, or as it would be sent now. */
export interface ShownReceipt {
  readonly receipt: PendingReceipt;
  readonly status: ReceiptStatus;
  /** Null until a mail server has accepted it. */
  readonly sentAt: Date | null;
  /**
   * The expiry of the links in the mail. Null while it is not sent, and if its content was not stored: then `receipt` is
   * built from current data, with the links of that time.
   */
  readonly worksUntil: Date | null;
}

/** The content of a receipt's mail, before it is formatted. */
export interface ReceiptMail {
  readonly kind: 'receipt';
  /** The id of the receipt. */
  readonly mailId: string;
  readonly orgId: string;
  readonly language: Language;
  /** The IANA time zone of the times in the mail. */
  readonly timeZone: string;
  /** When its links expire if none is opened. */
  readonly worksUntil: Date;
  readonly organisation: { readonly name: string; readonly replyTo: string | null };
  readonly to: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly orderedAt: Date;
  readonly items: readonly ReceiptItem[];
  /** The page where buyers request new links. */
  readonly myUrl: string;
}

/** One purchase with its link. `version` null: the product has no live version yet. */
export interface ReceiptItem {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  /** The size of all files, in bytes. */
  readonly totalSize: number;
  /** See `listFilesInMail`. */
  readonly fileNames?: readonly string[];
  /** Exact decimal text in major units. */
  readonly amount: string;
  readonly currency: string | null;
  readonly downloadUrl: string;
}
