import type { Clock, DownloadTokens, LimitedMailer, Receipts } from '../ports.ts';
import { decideReceipt } from './decide-receipt.ts';
import type { PostponedMail } from './mail-limit.ts';
import type { MailAnswer, ReceiptMail } from './receipt.ts';
import type { OwedReceipt } from './receipt-claim.ts';

export interface SendReceiptPorts {
  readonly clock: Clock;
  readonly receipts: Receipts;
  readonly mailer: Pick<LimitedMailer, 'sendReceipt'>;
  readonly tokens: DownloadTokens;
}

/** `settled`: there is nothing to mail (any more). `not-now`: ask again at that time. */
export type SendReceiptResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail }
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date };

/**
 * The job behind every receipt: takes it, mails it, writes down what the mail server said. The claim keeps two jobs
 * for one receipt from mailing it twice.
 */
export async function sendReceipt(
  ports: SendReceiptPorts,
  { orgId, receiptId }: { readonly orgId: string; readonly receiptId: string },
): Promise<SendReceiptResult> {
  const claim = await ports.receipts.claim(orgId, receiptId, ports.clock.now());
  if (claim.kind !== 'claimed') return claim;
  const answer = await ports.mailer.sendReceipt(composeReceipt(claim.receipt, ports.tokens));
  await ports.receipts.settle(orgId, receiptId, decideReceipt(claim.receipt, answer, ports.clock.now()));
  return { kind: 'answered', answer };
}

function composeReceipt(receipt: OwedReceipt, tokens: DownloadTokens): ReceiptMail {
  return {
    receiptId: receipt.id,
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
