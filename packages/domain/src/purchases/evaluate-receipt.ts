import type { PurchaseReceipt, PurchaseRecord } from '../model/purchase-record.ts';

/**
 * The state of the mail with the links of a purchase. `pending` says nothing about earlier mails: once a receipt is sent
 * again, only the activity log shows the former one. `left-out`: the receipt was sent without the purchase, which was revoked
 * at that time.
 */
export type ReceiptState =
  | { readonly kind: 'accepted'; readonly at: Date }
  | { readonly kind: 'pending' | 'refused' | 'left-out' | 'not-requested' };

/** Returns the state of the receipt of a purchase. */
export function evaluateReceipt({ receipt }: Pick<PurchaseRecord, 'receipt'>): ReceiptState {
  if (receipt === null) return { kind: 'not-requested' };
  if (isLeftOut(receipt)) return { kind: 'left-out' };
  if (receipt.sentAt !== null) return { kind: 'accepted', at: receipt.sentAt };
  return { kind: receipt.status === 'refused' ? 'refused' : 'pending' };
}

/** Only for a receipt that is sent: a pending one will list the purchase, unless that is revoked. */
function isLeftOut({ status, leavesOut }: Pick<PurchaseReceipt, 'status' | 'leavesOut'>): boolean {
  return status === 'sent' && leavesOut;
}

/** Whether somebody has to send the receipt, because no mail had or will have a working link of the purchase. */
export function needsReceipt(record: Pick<PurchaseRecord, 'receipt' | 'links' | 'revokedAt'>): boolean {
  const { kind } = evaluateReceipt(record);
  return kind === 'not-requested' || kind === 'refused' || isMissingFromMail(record);
}

/**
 * Whether a purchase that is not revoked is missing from all mails: its receipt was sent without it, and no link was created
 * (and so mailed) since.
 */
export function isMissingFromMail(record: Pick<PurchaseRecord, 'receipt' | 'links' | 'revokedAt'>): boolean {
  const { receipt, links, revokedAt } = record;
  if (revokedAt !== null || receipt === null || !isLeftOut(receipt)) return false;
  return !links.some(({ createdAt }) => receipt.sentAt !== null && createdAt > receipt.sentAt);
}
