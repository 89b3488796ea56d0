import type { Clock, Invitations, InvitationTokens, LimitedMailer } from '../ports.ts';
import { nextTryAt } from '../receipts/decide-receipt.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { InvitationMailOutcome, OwedInvitationMail } from './invitation.ts';

/** `settled`: there is nothing to mail (any more). `not-now`: ask again at that time. */
export type SendInvitationResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail; readonly isGivenUp: boolean }
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
  const claim = await ports.invitations.claimMail(orgId, invitationId, ports.clock.now());
  if (claim.kind !== 'claimed') return claim;
  const { owedSince, attempts, ...mail } = claim.mail;
  const answer = await ports.mailer.sendInvitation({
    ...mail,
    mailId: `${invitationId}-${owedSince.getTime()}`,
    url: ports.invitationTokens.url(orgId, invitationId),
  });
  const outcome = decideInvitationMail({ owedSince, attempts }, answer, ports.clock.now());
  await ports.invitations.settleMail(orgId, invitationId, outcome);
  return { kind: 'answered', answer, isGivenUp: outcome.kind === 'refused' };
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
