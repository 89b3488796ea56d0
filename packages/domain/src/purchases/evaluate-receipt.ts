import type { PurchaseReceipt, PurchaseRecord } from '../model/purchase-record.ts';

/**
 * What became of the mail with the links of a purchase. `pending` says nothing of mails before it: once a receipt is sent again,
 * the former one is in the activity log alone. `left-out`: its receipt went out without it, while it was revoked.
 */
export type ReceiptState =
  | { readonly kind: 'accepted'; readonly at: Date }
  | { readonly kind: 'pending' | 'refused' | 'left-out' | 'not-requested' };

/** The one rule for how a receipt stands, wherever a page says it. */
export function evaluateReceipt({ receipt }: Pick<PurchaseRecord, 'receipt'>): ReceiptState {
  if (receipt === null) return { kind: 'not-requested' };
  if (isLeftOut(receipt)) return { kind: 'left-out' };
  if (receipt.sentAt !== null) return { kind: 'accepted', at: receipt.sentAt };
  return { kind: receipt.status === 'refused' ? 'refused' : 'pending' };
}

/** One that is to be sent again lists the purchase, unless that is revoked. */
function isLeftOut({ status, leavesOut }: Pick<PurchaseReceipt, 'status' | 'leavesOut'>): boolean {
  return status === 'sent' && leavesOut;
}

/** Whether no mail has brought, or will bring, a working link of the purchase, so that somebody has to send its receipt. */
export function needsReceipt(record: Pick<PurchaseRecord, 'receipt' | 'links' | 'revokedAt'>): boolean {
  const { kind } = evaluateReceipt(record);
  return kind === 'not-requested' || kind === 'refused' || isMissingFromMail(record);
}

/**
 * Whether a purchase that is not revoked is missing from the mail of its order. A link that was created after that mail
 * was sent by another mail.
 */
export function isMissingFromMail(record: Pick<PurchaseRecord, 'receipt' | 'links' | 'revokedAt'>): boolean {
  const { receipt, links, revokedAt } = record;
  if (revokedAt !== null || receipt === null || !isLeftOut(receipt)) return false;
  return !links.some(({ createdAt }) => receipt.sentAt !== null && createdAt > receipt.sentAt);
}
