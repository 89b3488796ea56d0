import type { Clock, DownloadTokens, LimitedMailer, Receipts } from '../ports.ts';
import { decideReceipt } from './decide-receipt.ts';
import { type ClaimEnd, sendUnderClaim } from './mail-claim.ts';
import type { PostponedMail } from './mail-limit.ts';
import type { MailAnswer, ReceiptMail } from './receipt.ts';
import type { OwedReceipt } from './receipt-claim.ts';

export interface SendReceiptPorts {
  readonly clock: Clock;
  readonly receipts: Receipts;
  readonly mailer: Pick<LimitedMailer, 'sendReceipt'>;
  readonly tokens: DownloadTokens;
}

/**
 * `settled`: there is nothing to mail (any more). `not-now`: ask again at that time. `end`: whether the answer could be
 * written down, which needs the claim.
 */
export type SendReceiptResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail; readonly end: ClaimEnd }
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
  const { clock, receipts, mailer, tokens } = ports;
  const askedAt = clock.now();
  const claim = await receipts.claim(orgId, receiptId, askedAt);
  if (claim.kind !== 'claimed') return claim;
  const { claimId, receipt } = claim;
  const answer = await sendUnderClaim(
    () => mailer.sendReceipt(composeReceipt(receipt, tokens), { claimId, askedAt }),
    () => receipts.release(orgId, receiptId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const outcome = decideReceipt(receipt, answer, clock.now());
  const end = await receipts.settle(orgId, receiptId, claimId, outcome);
  return { kind: 'answered', answer, end };
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
