import type { FailedTry } from '../email/decide-outcome.ts';
import type { DownloadTokens } from '../ports/downloads.ts';
import type { PendingEmailFacts } from './outgoing-email.ts';
import type { ReceiptItem, ReceiptMail } from './receipt.ts';

/** A receipt that is to be sent now, with all that its mail will say. */
export interface PendingReceipt extends PendingEmailFacts {
  readonly kind: 'receipt';
  readonly orgId: string;
  readonly orderedAt: Date;
  readonly organisation: { readonly name: string; readonly email: string };
  readonly customer: { readonly email: string; readonly name: string };
  readonly orderNumber: string | null;
  readonly items: readonly PendingReceiptItem[];
}

/** As the receipt tells it, but with the id of the link instead of its address. */
export interface PendingReceiptItem extends Omit<ReceiptItem, 'downloadUrl'> {
  readonly linkId: string;
}

export function composeReceipt(receipt: PendingReceipt, tokens: DownloadTokens): ReceiptMail {
  return {
    kind: 'receipt',
    mailId: receipt.id,
    orgId: receipt.orgId,
    organisation: { name: receipt.organisation.name, replyTo: receipt.organisation.email },
    to: receipt.customer,
    orderNumber: receipt.orderNumber,
    orderedAt: receipt.orderedAt,
    items: receipt.items.map(({ linkId, ...item }) => ({
      ...item,
      downloadUrl: tokens.url(receipt.orgId, linkId),
    })),
    myUrl: tokens.myUrl(),
  };
}

/** What the entries of the log say that wait for it. */
export function explainReceipt(end: FailedTry, answer: string): string {
  switch (end) {
    case 'try-again':
      return `The mail server did not take the receipt: “${answer}” It is tried again automatically.`;
    case 'refused':
      return `The mail server refused the receipt: “${answer}”`;
    case 'given-up':
      return `The receipt could not be mailed for three days. The last answer: “${answer}”`;
  }
}
