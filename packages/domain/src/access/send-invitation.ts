import type { Clock, Invitations, InvitationTokens, LimitedMailer } from '../ports.ts';
import { nextTryAt } from '../receipts/decide-receipt.ts';
import { type ClaimEnd, sendUnderClaim } from '../receipts/mail-claim.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { InvitationMailOutcome, OwedInvitationMail } from './invitation.ts';

/** As of a receipt. `isGivenUp`: it is not tried again. */
export type SendInvitationResult =
  | {
      readonly kind: 'answered';
      readonly answer: MailAnswer | PostponedMail;
      readonly isGivenUp: boolean;
      readonly end: ClaimEnd;
    }
  | { readonly kind: 'settled' }
  | { readonly kind: 'not-now'; readonly at: Date };

/** The job behind an invitation's mail. Same retry policy as a receipt. */
export async function sendInvitation(
  ports: {
    readonly clock: Clock;
    readonly invitations: Invitations;
    readonly invitationTokens: InvitationTokens;
    readonly mailer: Pick<LimitedMailer, 'sendInvitation'>;
  },
  { orgId, invitationId }: { readonly orgId: string; readonly invitationId: string },
): Promise<SendInvitationResult> {
  const { clock, invitations, invitationTokens, mailer } = ports;
  const askedAt = clock.now();
  const claim = await invitations.claimMail(orgId, invitationId, askedAt);
  if (claim.kind !== 'claimed') return claim;
  const { claimId } = claim;
  const { owedSince, attempts, ...mail } = claim.mail;
  const mailId = `${invitationId}-${owedSince.getTime()}`;
  const answer = await sendUnderClaim(
    () =>
      mailer.sendInvitation(
        { ...mail, mailId, url: invitationTokens.url(orgId, invitationId) },
        { claimId, askedAt },
      ),
    () => invitations.releaseMail(orgId, invitationId, claimId),
  );
  if (!answer) return { kind: 'not-now', at: clock.now() };
  const outcome = decideInvitationMail({ owedSince, attempts }, answer, clock.now());
  const end = await invitations.settleMail(orgId, invitationId, claimId, outcome);
  return { kind: 'answered', answer, isGivenUp: outcome.kind === 'refused', end };
}

/** A mail server that refuses the address, or takes nothing for three days, is an answer for the team page. */
export function decideInvitationMail(
  mail: Pick<OwedInvitationMail, 'attempts' | 'owedSince'>,
  mailAnswer: MailAnswer | PostponedMail,
  now: Date,
): InvitationMailOutcome {
  const { kind, answer } = mailAnswer;
  if (kind === 'accepted') return { kind: 'sent', answer };
  if (kind === 'postponed') return { kind, answer, nextTryAt: mailAnswer.until };
  const next = kind === 'try-again' ? nextTryAt(mail, now) : null;
  return next ? { kind: 'try-again', answer, nextTryAt: next } : { kind: 'refused', answer };
}
