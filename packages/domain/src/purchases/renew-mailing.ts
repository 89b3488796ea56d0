import type { ActivityEntry, ActivityOrigin } from '../model/activity.ts';
import { makeLink } from '../model/download-link.ts';
import { mailReceipt } from '../model/job.ts';
import type { Mailing, NewMailing } from '../model/mailing.ts';
import type { Customer } from '../model/purchase.ts';
import type { Clock, Ids } from '../ports/clock.ts';

export interface MailAgainPorts {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Each failed try means that somebody else changed the same mailing, so this many in a row are a fault. */
export const TRIES = 10;

/** A new receipt with new links that replaces the one of `mailing`. */
export function renewMailing(
  { clock, ids }: MailAgainPorts,
  orgId: string,
  mailing: Mailing,
  change: {
    readonly to: { readonly customer: Pick<Customer, 'id' | 'email' | 'name'>; readonly isNew: boolean };
    readonly kind: Extract<ActivityEntry['kind'], 'receipt-resent' | 'address-corrected'>;
    readonly purchaseId: string;
    readonly summary: string;
    /** See `NewMailing`. */
    readonly revokesFormerLinks: boolean;
    /** Who asked for it. */
    readonly by: ActivityOrigin;
  },
): NewMailing {
  const now = clock.now();
  const { to, kind, purchaseId, summary, revokesFormerLinks, by } = change;
  const language = mailing.receipt?.language ?? null;
  const receipt = { id: ids.next(), orgId, customerId: to.customer.id, language, createdAt: now };
  return {
    orgId,
    receipt,
    customer: to.isNew ? { ...to.customer, orgId, createdAt: now } : null,
    links: mailing.purchases
      .filter(({ revoked }) => !revoked || revokesFormerLinks)
      .map(({ id: purchaseId }) => makeLink({ id: ids.next(), orgId, purchaseId }, now)),
    revokesFormerLinks,
    activity: { id: ids.next(), at: now, kind, subjectId: purchaseId, summary, ...by },
    jobs: [mailReceipt(orgId, receipt.id, now)],
    expectedVersions: mailing,
  };
}

/** A sentence about the result of the replaced receipt, which only the activity log shows from then on. `name` is its subject. */
export function describeFormer({ receipt }: Mailing, name: string): string {
  if (receipt === null || receipt.status === 'pending') return '';
  const said = receipt.answer === null ? '' : `: “${receipt.answer}”`;
  return ` ${name} was ${receipt.status === 'sent' ? 'accepted' : 'refused'}${said}.`;
}

/** Whether this purchase of the mailing is revoked. */
export function isRevokedIn({ purchases }: Mailing, purchaseId: string): boolean {
  return purchases.some(({ id, revoked }) => revoked && id === purchaseId);
}
