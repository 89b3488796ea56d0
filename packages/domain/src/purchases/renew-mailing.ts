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

/** Each try that fails means that somebody else changed the same mail, so this many in a row is a fault. */
export const TRIES = 10;

/** A new receipt with new links, in the place of the one before. */
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

/** The former receipt leaves the purchase, so the entry keeps what the mail server said of it. */
export function describeFormer({ receipt }: Mailing, name: string): string {
  if (receipt === null || receipt.status === 'pending') return '';
  const said = receipt.answer === null ? '' : `: “${receipt.answer}”`;
  return ` ${name} was ${receipt.status === 'sent' ? 'accepted' : 'refused'}${said}.`;
}

/** Whether this one of its purchases is revoked: others may be without it. */
export function isRevokedIn({ purchases }: Mailing, purchaseId: string): boolean {
  return purchases.some(({ id, revoked }) => revoked && id === purchaseId);
}
