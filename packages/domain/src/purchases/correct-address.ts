import type { ActivityOrigin } from '../model/activity.ts';
import { normalizeEmail, readTypedEmail } from '../model/email-address.ts';
import { DomainError } from '../model/errors.ts';
import type { InvalidInput } from '../model/validation.ts';
import type { Mailings } from '../ports/mails.ts';
import type { Customers } from '../ports/purchases.ts';
import { describeFormer, isRevokedIn, type MailAgainPorts, renewMailing, TRIES } from './renew-mailing.ts';

/** `customerId`: the customer of the purchase now, who may have existed before. */
export type CorrectAddressResult =
  | { readonly kind: 'corrected'; readonly email: string; readonly customerId: string }
  | InvalidInput
  | { readonly kind: 'unknown-purchase' }
  /** The purchase is revoked and must be restored first. */
  | { readonly kind: 'revoked' }
  /** Somebody else corrected the address first. `email`: the current address. */
  | { readonly kind: 'corrected-before'; readonly email: string };

/**
 * Moves a purchase, and all other purchases of its receipt, to the customer of another address (created with the same
 * name, if there is none), and mails new links there. The links that were mailed before stop working, because a stranger
 * may have them. Revoked purchases of the receipt move too, and stay revoked.
 *
 * @throws DomainError `contended` after too many concurrent changes; nothing is changed then.
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
    /** The current address that the person saw. If it has changed since, nothing is overwritten: `corrected-before`. */
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
