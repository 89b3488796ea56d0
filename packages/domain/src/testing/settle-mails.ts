import type { InvitationMailOutcome } from '../access/invitation.ts';
import type { Stores } from '../ports.ts';
import type { ClaimEnd } from '../receipts/mail-claim.ts';
import type { ReceiptOutcome } from '../receipts/receipt-claim.ts';

/** Claims a receipt that is due, and settles it: what its job does, without a mail server. */
export async function settleReceipt(
  { receipts }: Pick<Stores, 'receipts'>,
  orgId: string,
  receiptId: string,
  now: Date,
  outcome: ReceiptOutcome,
): Promise<ClaimEnd> {
  const claimId = claimIdOf(await receipts.claim(orgId, receiptId, now));
  return receipts.settle(orgId, receiptId, claimId, outcome);
}

/** As `settleReceipt`, for a mail of alerts. */
export async function settleAlertMail(
  { alerts }: Pick<Stores, 'alerts'>,
  orgId: string,
  mailId: string,
  now: Date,
  outcome: ReceiptOutcome,
): Promise<ClaimEnd> {
  const claimId = claimIdOf(await alerts.claim(orgId, mailId, now));
  return alerts.settle(orgId, mailId, claimId, outcome);
}

/** As `settleReceipt`, for the mail of an invitation. */
export async function settleInvitation(
  { invitations }: Pick<Stores, 'invitations'>,
  orgId: string,
  invitationId: string,
  now: Date,
  outcome: InvitationMailOutcome,
): Promise<ClaimEnd> {
  const claimId = claimIdOf(await invitations.claimMail(orgId, invitationId, now));
  return invitations.settleMail(orgId, invitationId, claimId, outcome);
}

/** The id of a claim that was to succeed. */
export function claimIdOf(claim: { readonly kind: string; readonly claimId?: string }): string {
  if (claim.claimId === undefined) throw new Error(`A mail that was to be claimed: ${claim.kind}`);
  return claim.claimId;
}
