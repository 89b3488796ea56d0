import { composeAlerts } from '../model/alert-mail.ts';
import { composeDownloadLinkEmail } from '../model/download-link-email.ts';
import type { MailAnswer } from '../model/mail-answer.ts';
import type { EmailKind, EmailMessage, PendingEmail } from '../model/outgoing-email.ts';
import { composeReceipt } from '../model/pending-receipt.ts';
import type { SignInTokens } from '../ports/access.ts';
import type { DownloadTokens } from '../ports/downloads.ts';
import type { InvitationTokens } from '../ports/invitations.ts';
import type { LimitedMailer, OutgoingEmails } from '../ports/mails.ts';
import type { Clock, Ids } from '../ports/stores.ts';
import { decideOutcome } from './decide-outcome.ts';
import { composeInvitation } from './invitation-email.ts';
import { type ClaimEnd, sendUnderClaim } from './mail-claim.ts';
import type { PostponedMail } from './mail-limit.ts';
import { composeSignIn } from './sign-in-email.ts';

export interface SendEmailPorts extends ComposePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outgoingEmails: OutgoingEmails;
  readonly mailer: LimitedMailer;
}

interface ComposePorts {
  readonly tokens: DownloadTokens;
  readonly invitationTokens: InvitationTokens;
  readonly signInTokens: SignInTokens;
  /** Root address of the service, without a slash at the end. */
  readonly siteUrl: string;
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
    }
  | { readonly kind: 'completed' }
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
    () => mailer.send(compose(email, ports), { claimId, askedAt }),
    () => outgoingEmails.release(orgId, emailId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const outcome = decideOutcome(email, answer, clock.now());
  const end = await outgoingEmails.complete(orgId, emailId, claimId, outcome);
  return { kind: 'answered', emailKind: email.kind, answer, isGivenUp: outcome.kind === 'refused', end };
}

function compose(email: PendingEmail, ports: ComposePorts): EmailMessage {
  switch (email.kind) {
    case 'receipt':
      return composeReceipt(email, ports.tokens);
    case 'links':
      return composeDownloadLinkEmail(email, ports.tokens);
    case 'alert':
      return composeAlerts(email, ports.siteUrl);
    case 'invitation':
      return composeInvitation(email, ports.invitationTokens);
    case 'sign-in':
      return composeSignIn(email, ports.signInTokens);
  }
}
