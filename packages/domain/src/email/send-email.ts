import type { ClaimEnd, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingReceipt } from '../model/receipt.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { LimitedMailer, OutgoingEmails } from '../ports/mails.ts';
import { type ComposePorts, composeEmail } from './compose-email.ts';
import { decideOutcome } from './decide-outcome.ts';
import { sendUnderClaim } from './mail-claim.ts';

export interface SendEmailPorts extends ComposePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outgoingEmails: Pick<OutgoingEmails, 'claim' | 'complete' | 'release'>;
  readonly mailer: LimitedMailer;
}

/**
 * `completed`: there is nothing to send (any more). `not-now`: ask again at that time. `isGivenUp`: it is not tried again.
 * `end`: whether the answer could be written down, which needs the claim.
 */
export type SendEmailResult =
  | {
      readonly kind: 'answered';
      readonly emailKind: EmailKind;
      readonly answer: MailAnswer | PostponedMail;
      readonly isGivenUp: boolean;
      readonly end: ClaimEnd;
      /** What a receipt is for; null for other e-mails. */
      readonly about: Pick<PendingReceipt, 'orderNumber' | 'delivery'> | null;
      readonly startedAt: Date;
      readonly endedAt: Date;
    }
  | { readonly kind: 'not-pending' }
  | { readonly kind: 'not-now'; readonly at: Date };

/**
 * The job behind every e-mail: takes it, mails it, writes down what the mail server said. The claim keeps two jobs for one
 * e-mail from mailing it twice.
 */
export async function sendEmail(
  ports: SendEmailPorts,
  { orgId, emailId }: { readonly orgId: string; readonly emailId: string },
): Promise<SendEmailResult> {
  const { clock, ids, outgoingEmails, mailer } = ports;
  const askedAt = clock.now();
  const claim = await outgoingEmails.claim(orgId, emailId, askedAt, () => ids.next());
  if (claim.kind !== 'claimed') return claim;
  const { claimId, email } = claim;
  const answer = await sendUnderClaim(
    async () => mailer.send(await composeEmail(email, ports, askedAt), { claimId, askedAt }),
    () => outgoingEmails.release(orgId, emailId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const endedAt = clock.now();
  const outcome = decideOutcome(email, answer, endedAt);
  const end = await outgoingEmails.complete(orgId, emailId, claimId, outcome);
  const isGivenUp = outcome.kind === 'refused';
  const about = describeSubject(email);
  const emailKind = email.kind;
  return { kind: 'answered', emailKind, answer, isGivenUp, end, about, startedAt: askedAt, endedAt };
}

function describeSubject(email: PendingEmail): Pick<PendingReceipt, 'orderNumber' | 'delivery'> | null {
  if (email.kind !== 'receipt') return null;
  return { orderNumber: email.orderNumber, delivery: email.delivery ?? null };
}
