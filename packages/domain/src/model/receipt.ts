import type { TraceContext } from './delivery.ts';
import type { Language } from './language.ts';
import type { EmailStatus, PendingEmailFacts } from './pending-email.ts';

/** A receipt that is to be sent now, with all that its mail will say. */
export interface PendingReceipt extends PendingEmailFacts {
  readonly kind: 'receipt';
  readonly orgId: string;
  /** When the receipt came to be. */
  readonly orderedAt: Date;
  /** The buyer's; null or left out where it is not known. */
  readonly language?: Language | null;
  /** Without a language or a time zone, the default ones apply. */
  readonly organisation: {
    readonly name: string;
    readonly email: string;
    readonly language?: Language;
    readonly timeZone?: string;
  };
  readonly customer: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly items: readonly PendingReceiptItem[];
  /** Null: no delivery bought this, or it was removed for its age. A store may leave it out. */
  readonly delivery?: ReceiptDelivery | null;
}

/** The delivery that a receipt is for. */
export interface ReceiptDelivery {
  readonly id: string;
  readonly receivedAt: Date;
  readonly traceContext?: TraceContext | null;
}

/** As the receipt tells it, but with the id of the link instead of its address. */
export interface PendingReceiptItem extends Omit<ReceiptItem, 'downloadUrl'> {
  readonly linkId: string;
}

/** Where a receipt is, as any e-mail. */
export type ReceiptStatus = EmailStatus;

/** The e-mail that carries the links of one committed set of new purchases. */
export interface Receipt {
  readonly id: string;
  readonly orgId: string;
  readonly customerId: string;
  /** The buyer's; null where it is not known. */
  readonly language: Language | null;
  readonly createdAt: Date;
}

/** What the mail of a receipt said that a mail server accepted. Names and addresses may be others by now. */
export interface SentReceipt
  extends Pick<PendingReceipt, 'language' | 'organisation' | 'customer' | 'orderNumber' | 'items'> {
  /** As {@link ReceiptMail.worksUntil}. */
  readonly worksUntil: Date;
}

/** A receipt as it stands, to be shown to the shop: as it was sent, or as it will be. */
export interface ShownReceipt {
  readonly receipt: PendingReceipt;
  readonly status: ReceiptStatus;
  /** Null until a mail server has accepted it. */
  readonly sentAt: Date | null;
  /**
   * Until when the mail said that its links work. Null while it is not sent, and where its store did not keep what it said: then
   * the receipt is put together from what is stored now, with the links of then.
   */
  readonly worksUntil: Date | null;
}

/** All that the mail says, ready to be laid out. */
export interface ReceiptMail {
  readonly kind: 'receipt';
  /** The id of the receipt. */
  readonly mailId: string;
  readonly orgId: string;
  readonly language: Language;
  /** Of the times that the mail says: a name of the IANA database. */
  readonly timeZone: string;
  /** Until when its links work if none is opened. */
  readonly worksUntil: Date;
  readonly organisation: { readonly name: string; readonly replyTo: string | null };
  readonly to: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly orderedAt: Date;
  readonly items: readonly ReceiptItem[];
  /** Where buyers ask for new links themselves. */
  readonly myUrl: string;
}

/** One purchase, with its link. `version` null: the product has none yet. */
export interface ReceiptItem {
  readonly productName: string;
  readonly version: string | null;
  readonly fileCount: number;
  /** Bytes of all files together. */
  readonly totalSize: number;
  /** See `listFilesInMail`. */
  readonly fileNames?: readonly string[];
  /** Exact decimal text, and its currency. */
  readonly amount: string;
  readonly currency: string | null;
  readonly downloadUrl: string;
}
