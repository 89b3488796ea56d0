import type { ActivityOrigin } from '../model/activity.ts';
import { DomainError } from '../model/errors.ts';
import type { Mailing } from '../model/mailing.ts';
import type { ReceiptStatus } from '../model/receipt.ts';
import type { Mailings } from '../ports/mails.ts';
import { describeFormer, isRevokedIn, type MailAgainPorts, renewMailing, TRIES } from './renew-mailing.ts';

/** The result of `resendReceipt`. `email`: the address of the customer. */
export type ResendReceiptResult =
  /** `isRetriedNow`: the receipt was still pending, so it is tried at once, and no new one was created. */
  | { readonly kind: 'queued'; readonly email: string; readonly isRetriedNow: boolean }
  /** The receipt has changed since it was shown: another person or its own job did the same. `status`: its current status. */
  | { readonly kind: 'done-before'; readonly email: string; readonly status: ReceiptStatus }
  | { readonly kind: 'unknown-purchase' }
  /** The purchase is revoked and must be restored first. */
  | { readonly kind: 'revoked' };

/** A receipt as a page showed it. */
export type SeenReceipt = Pick<NonNullable<Mailing['receipt']>, 'id' | 'status'>;

/**
 * Mails a purchase's receipt again, to the same address and with new links, in whatever state the former one is. A
 * pending receipt is sent now instead. Revoked purchases of the receipt are left out.
 *
 * With `replacesLinks`, the links that were mailed before stop working at once, because somebody else may have them. Then a
 * new receipt is created even if the former one is pending.
 *
 * However often a replacement of one receipt (`seen`) is requested, it is mailed once.
 *
 * @throws DomainError `contended` after too many concurrent changes; nothing is changed then.
 */
export async function resendReceipt(
  ports: MailAgainPorts & { readonly mailings: Mailings },
  orgId: string,
  purchaseId: string,
  {
    by,
    seen,
    replacesLinks = false,
  }: {
    readonly by: ActivityOrigin;
    readonly replacesLinks?: boolean;
    /** The purchase's receipt as the page showed it. */
    readonly seen: SeenReceipt | null;
  },
): Promise<ResendReceiptResult> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const mailing = await ports.mailings.find(orgId, purchaseId);
    if (!mailing) return { kind: 'unknown-purchase' };
    if (isRevokedIn(mailing, purchaseId)) return { kind: 'revoked' };
    const { receipt } = mailing;
    const { email } = mailing.customer;
    const isAsSeen = replacesLinks ? receipt?.id === seen?.id : isSame(receipt, seen);
    if (receipt && !isAsSeen) return { kind: 'done-before', email, status: receipt.status };
    const isRetriedNow = receipt?.status === 'pending' && !replacesLinks;
    const outcome = isRetriedNow
      ? await retryNow(ports, orgId, purchaseId, { email, receiptId: receipt.id, by })
      : await ports.mailings.renew([
          renewMailing(ports, orgId, mailing, {
            to: { customer: mailing.customer, isNew: false },
            kind: 'receipt-resent',
            purchaseId,
            summary: `The receipt is sent to ${email} again.${replacesLinks ? LINKS_STOPPED : ''}${describeFormer(mailing, 'The one before')}`,
            revokesFormerLinks: replacesLinks,
            by,
          }),
        ]);
    if (outcome === 'queued') return { kind: 'queued', email, isRetriedNow };
    if (outcome === 'due') return { kind: 'done-before', email, status: 'pending' };
  }
  throw new DomainError('contended', 'The receipt could not be sent again: it kept changing.');
}

const LINKS_STOPPED = ' The links mailed before have stopped working.';

function isSame(receipt: SeenReceipt | null, seen: SeenReceipt | null): boolean {
  return receipt?.id === seen?.id && receipt?.status === seen?.status;
}

function retryNow(
  { mailings, clock, ids }: MailAgainPorts & { readonly mailings: Mailings },
  orgId: string,
  subjectId: string,
  {
    email,
    receiptId,
    by,
  }: {
    readonly email: string;
    readonly receiptId: string;
    readonly by: ActivityOrigin;
  },
) {
  const summary = `The receipt to ${email} is tried again at once.`;
  const entry = {
    id: ids.next(),
    at: clock.now(),
    kind: 'receipt-resent',
    subjectId,
    summary,
    ...by,
  } as const;
  return mailings.retryNow(orgId, receiptId, entry);
}
