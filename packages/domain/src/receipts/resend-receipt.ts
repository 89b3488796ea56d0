import { DomainError } from '../errors.ts';
import type { Mailings } from '../ports.ts';
import type { MailAgainPorts } from './renew-mailing.ts';
import { renewMailing, TRIES } from './renew-mailing.ts';

export type ResendReceiptResult =
  /** `hastened`: it was owed still, and is tried at once; nothing new was made. */
  | { readonly kind: 'queued'; readonly email: string; readonly hastened: boolean }
  | { readonly kind: 'unknown-purchase' }
  /** Its link was revoked: it must be restored first. */
  | { readonly kind: 'revoked' };

/**
 * Mails a purchase's receipt again, to the same address and with new links, whatever became of the one before. One
 * that is still owed is sent now instead.
 *
 * @throws DomainError `contended` when its facts kept changing; nothing is done then.
 */
export async function resendReceipt(
  ports: MailAgainPorts & { readonly mailings: Mailings },
  orgId: string,
  purchaseId: string,
  actor: string,
): Promise<ResendReceiptResult> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const mailing = await ports.mailings.find(orgId, purchaseId);
    if (!mailing) return { kind: 'unknown-purchase' };
    if (mailing.purchases.some(({ revoked }) => revoked)) return { kind: 'revoked' };
    const { customer, receipt } = mailing;
    const outcome =
      receipt?.status === 'owed'
        ? await ports.mailings.hasten(orgId, receipt.id, ports.clock.now())
        : await ports.mailings.renew(
            renewMailing(ports, orgId, mailing, {
              to: { customer, isNew: false },
              kind: 'receipt-resent',
              purchaseId,
              summary: `The receipt is sent to ${customer.email} again.`,
              actor,
            }),
          );
    if (outcome === 'queued') {
      return { kind: 'queued', email: customer.email, hastened: receipt?.status === 'owed' };
    }
  }
  throw new DomainError('contended', 'The receipt could not be sent again: it kept changing.');
}
