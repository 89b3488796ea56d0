import type { ReceiptItem } from './receipt.ts';

/** What became of an attempt to take a receipt for sending. */
export type ReceiptClaim =
  | { readonly kind: 'claimed'; readonly claimId: string; readonly receipt: OwedReceipt }
  /** Sent or refused already, or unknown: nothing to do. */
  | { readonly kind: 'settled' }
  /** Another process is at it, or its next try is yet to come: ask again at `at`. */
  | { readonly kind: 'not-now'; readonly at: Date };

/** An owed receipt with all that its mail will say. */
export interface OwedReceipt {
  readonly id: string;
  readonly orgId: string;
  readonly orderedAt: Date;
  /** Since when it is tried: since the order, or since it was last asked for again. */
  readonly owedSince: Date;
  /** Tries that failed before. */
  readonly attempts: number;
  readonly organisation: { readonly name: string; readonly email: string };
  readonly customer: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly items: readonly OwedReceiptItem[];
}

/** As the receipt tells it, but with the id of the link instead of its address. */
export interface OwedReceiptItem extends Omit<ReceiptItem, 'downloadUrl'> {
  readonly linkId: string;
}

/** What a try has come to. `answer`: the mail server’s words; `reason`: ours, in a sentence. */
export type ReceiptOutcome =
  | { readonly kind: 'sent'; readonly at: Date; readonly answer: string }
  | { readonly kind: 'refused'; readonly at: Date; readonly answer: string; readonly reason: string }
  | {
      /** `postponed`: nobody tried, for the organisation has sent enough for now. */
      readonly kind: 'try-again' | 'postponed';
      readonly at: Date;
      readonly answer: string;
      readonly reason: string;
      readonly nextTryAt: Date;
    };
