import type { Clock, LimitedMailer, SignIns, SignInTokens } from '../ports.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';

const TRY_AGAIN_AFTER_MS = 10_000;

/** `againAt`: when the job is to try once more; null when it is not. */
export type SendSignInLinkResult =
  | { readonly kind: 'answered'; readonly answer: MailAnswer | PostponedMail; readonly againAt: Date | null }
  /** Used, expired or signed out everywhere meanwhile: there is nothing to mail. */
  | { readonly kind: 'closed' };

/** The job behind a mailed link. It is tried again for as long as the link would work. */
export async function sendSignInLink(
  ports: {
    readonly clock: Clock;
    readonly signIns: SignIns;
    readonly signInTokens: SignInTokens;
    readonly mailer: Pick<LimitedMailer, 'sendSignInLink'>;
  },
  { signInId }: { readonly signInId: string },
): Promise<SendSignInLinkResult> {
  const signIn = await ports.signIns.findOpen(signInId, ports.clock.now());
  if (!signIn) return { kind: 'closed' };
  const answer = await ports.mailer.sendSignInLink({
    signInId,
    orgId: signIn.orgId,
    to: signIn.user,
    url: ports.signInTokens.url(signInId),
    requestedAt: signIn.createdAt,
  });
  const isOpen = answer.kind === 'try-again' || answer.kind === 'postponed';
  if (!isOpen) await ports.signIns.endMail(signInId);
  const againAt = isOpen ? new Date(ports.clock.now().getTime() + TRY_AGAIN_AFTER_MS) : null;
  return { kind: 'answered', answer, againAt };
}
