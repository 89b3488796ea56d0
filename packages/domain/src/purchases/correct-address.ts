import type { ActivityOrigin } from '../model/activity.ts';
import { normalizeEmail, readTypedEmail } from '../model/email-address.ts';
import { DomainError } from '../model/errors.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Mailings } from '../ports/mails.ts';
import type { Customers } from '../ports/purchases.ts';
import { describeFormer, isRevokedIn, type MailAgainPorts, renewMailing, TRIES } from './renew-mailing.ts';

/** `customerId`: whose the purchase is now, which may be somebody who was on record before. */
export type CorrectAddressResult =
  | { readonly kind: 'corrected'; readonly email: string; readonly customerId: string }
  | InvalidInput
  | { readonly kind: 'unknown-purchase' }
  /** It must be restored first. */
  | { readonly kind: 'revoked' }
  /** Somebody else corrected it since the person who asks saw it. `email`: the address on record now. */
  | { readonly kind: 'corrected-before'; readonly email: string };

/**
 * Moves a purchase, and all other purchases of its receipt, to the customer of another address (created with the same
 * name, if there is none), and mails new links there. The links that were mailed before stop working, because they may be
 * in a stranger's mailbox. Purchases of the receipt that are revoked move too, and stay revoked.
 *
 * Two people who correct the same address do not overwrite each other: the second one is asked again.
 *
 * @throws DomainError `contended` when its facts kept changing; nothing is done then.
 */
export async function correctAddress(
  ports: MailAgainPorts & {
    readonly mailings: Pick<Mailings, 'find' | 'renew'>;
    readonly customers: Pick<Customers, 'findByEmail'>;
  },
  orgId: string,
  purchaseId: string,
  address: string,
  {
    by,
    seen,
  }: {
    readonly by: ActivityOrigin;
    /** The address on record when the person who asks decided to correct it. */
    readonly seen: string;
  },
): Promise<CorrectAddressResult> {
  const email = readTypedEmail(address);
  if (email === null) return { kind: 'invalid', field: 'email', problem: 'must be an e-mail address' };
  for (let tried = 0; tried < TRIES; tried += 1) {
    const mailing = await ports.mailings.find(orgId, purchaseId);
    if (!mailing) return { kind: 'unknown-purchase' };
    if (isRevokedIn(mailing, purchaseId)) return { kind: 'revoked' };
    if (normalizeEmail(mailing.customer.email) !== normalizeEmail(seen)) {
      return { kind: 'corrected-before', email: mailing.customer.email };
    }
    if (normalizeEmail(mailing.customer.email) === normalizeEmail(email)) {
      return { kind: 'invalid', field: 'email', problem: 'is the address on record already: resend to it' };
    }
    const known = await ports.customers.findByEmail(orgId, email);
    const customer = known ?? { id: ports.ids.next(), email, name: mailing.customer.name };
    const renewed = renewMailing(ports, orgId, mailing, {
      to: { customer, isNew: known === null },
      kind: 'address-corrected',
      revokesFormerLinks: true,
      purchaseId,
      summary: `The address is corrected from ${mailing.customer.email} to ${customer.email}.${describeFormer(mailing, 'The receipt to the former address')}`,
      by,
    });
    if ((await ports.mailings.renew([renewed])) === 'queued') {
      return { kind: 'corrected', email: customer.email, customerId: customer.id };
    }
  }
  throw new DomainError('contended', 'The address could not be corrected: the purchase kept changing.');
}
