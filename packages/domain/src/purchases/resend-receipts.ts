import type { ActivityOrigin } from '../model/activity.ts';
import { MAX_BULK } from '../model/bulk-action.ts';
import { DomainError } from '../model/errors.ts';
import type { Mailing } from '../model/mailing.ts';
import type { Mailings } from '../ports/mails.ts';
import { describeFormer, type MailAgainPorts, renewMailing, TRIES } from './renew-mailing.ts';
import type { SeenReceipt } from './resend-receipt.ts';

/** A purchase and its receipt as a page showed them. */
export interface SeenPurchase {
  readonly purchaseId: string;
  readonly receipt: SeenReceipt | null;
}

interface ResendReceiptsResult {
  /** The number of new receipts. One receipt can list several of the purchases. */
  readonly queued: number;
  /** Receipts that are pending, or were replaced since they were shown. */
  readonly doneBefore: number;
  /** Receipts of which all requested purchases are revoked. */
  readonly revoked: number;
}

/**
 * Mails the receipts of at most `MAX_BULK` purchases again, as `resendReceipt` does, in one transaction. A pending receipt is
 * left to its own job.
 *
 * @throws DomainError `contended` after too many concurrent changes; nothing is changed then.
 */
export async function resendReceipts(
  ports: MailAgainPorts & { readonly mailings: Pick<Mailings, 'findAll' | 'renew'> },
  orgId: string,
  asked: readonly SeenPurchase[],
  by: ActivityOrigin,
): Promise<ResendReceiptsResult> {
  const seen = new Map(asked.slice(0, MAX_BULK).map((one) => [one.purchaseId, one.receipt]));
  for (let tried = 0; tried < TRIES; tried += 1) {
    const mailings = await ports.mailings.findAll(orgId, [...seen.keys()]);
    const revoked = mailings.filter(({ purchases }) =>
      purchases.filter(({ id }) => seen.has(id)).every((one) => one.revoked),
    );
    const due = mailings.filter((mailing) => !revoked.includes(mailing) && isAsSeen(mailing, seen));
    const result = {
      queued: due.length,
      revoked: revoked.length,
      doneBefore: mailings.length - due.length - revoked.length,
    };
    if (due.length === 0) return result;
    const renewed = due.map((mailing) => renew(ports, orgId, mailing, seen, by));
    if ((await ports.mailings.renew(renewed)) === 'queued') return result;
  }
  throw new DomainError('contended', 'The receipts could not be sent again: they kept changing.');
}

function isAsSeen({ receipt, purchases }: Mailing, seen: ReadonlyMap<string, SeenReceipt | null>): boolean {
  if (receipt?.status === 'pending') return false;
  const asked = purchases.find(({ id, revoked }) => seen.has(id) && !revoked);
  const former = asked === undefined ? null : (seen.get(asked.id) ?? null);
  return receipt === null ? former === null : receipt.id === former?.id && receipt.status === former.status;
}

function renew(
  ports: MailAgainPorts,
  orgId: string,
  mailing: Mailing,
  seen: ReadonlyMap<string, SeenReceipt | null>,
  by: ActivityOrigin,
) {
  const { customer, purchases } = mailing;
  return renewMailing(ports, orgId, mailing, {
    to: { customer, isNew: false },
    kind: 'receipt-resent',
    revokesFormerLinks: false,
    purchaseId: purchases.find(({ id, revoked }) => seen.has(id) && !revoked)?.id ?? '',
    summary: `The receipt is sent to ${customer.email} again.${describeFormer(mailing, 'The one before')}`,
    by,
  });
}
