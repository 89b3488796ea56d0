import type { ActivityOrigin } from '../model/activity.ts';
import { DomainError } from '../model/errors.ts';
import type { Mailing } from '../model/mailing.ts';
import type { ReceiptStatus } from '../model/receipt.ts';
import type { Mailings } from '../ports/mails.ts';
import { describeFormer, isRevokedIn, type MailAgainPorts, renewMailing, TRIES } from './renew-mailing.ts';

/** What became of the wish to mail a receipt again, and to whom. */
export type ResendReceiptResult =
  /** `isRetriedNow`: it was pending still, and is tried at once; nothing new was made. */
  | { readonly kind: 'queued'; readonly email: string; readonly isRetriedNow: boolean }
  /** What was asked for is done already, by another person or by the receipt's own job. `status` is where it is. */
  | { readonly kind: 'done-before'; readonly email: string; readonly status: ReceiptStatus }
  | { readonly kind: 'unknown-purchase' }
  /** It must be restored first. */
  | { readonly kind: 'revoked' };

/** A receipt as a page showed it. */
export type SeenReceipt = Pick<NonNullable<Mailing['receipt']>, 'id' | 'status'>;

/**
 * Mails a purchase's receipt again, to the same address and with new links, in whatever state the former one is. A
 * pending receipt is sent now instead. Revoked purchases of the receipt are left out.
 *
 * With `replacesLinks`, the links mailed before stop working at once: somebody else may have them. A new receipt is made
 * then, also in the place of one that is pending.
 *
 * However often a replacement of one receipt (`seen`) is requested, it is mailed once: pressing twice has no further
 * effect.
 *
 * @throws DomainError `contended` when its facts kept changing; nothing is done then.
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
    /** The purchase's receipt as it was when the person who asks decided to. */
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
