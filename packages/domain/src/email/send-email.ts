import { linkExpiry } from '../model/download-link.ts';
import type { ClaimEnd, LapsedClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind, EmailOutcome, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingReceipt } from '../model/receipt.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { LimitedMailer, OutgoingEmails } from '../ports/mails.ts';
import { type ComposePorts, composeEmail } from './compose-email.ts';
import { decideOutcome } from './decide-outcome.ts';

/** What sending an e-mail of the queue needs. */
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
 * The job of every e-mail: claims it, sends it, and records the mail server's answer. The claim prevents two jobs from
 * sending one e-mail twice.
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
  const outcome = withContent(decideOutcome(email, answer, endedAt), email, askedAt);
  const end = await outgoingEmails.complete(orgId, emailId, claimId, outcome);
  const isGivenUp = outcome.kind === 'refused';
  const about = describeSubject(email);
  const emailKind = email.kind;
  return { kind: 'answered', emailKind, answer, isGivenUp, end, about, startedAt: askedAt, endedAt };
}

/** What a receipt said is kept, for it to be shown as it was sent. */
function withContent(outcome: EmailOutcome, email: PendingEmail, askedAt: Date): EmailOutcome {
  if (outcome.kind !== 'sent' || email.kind !== 'receipt') return outcome;
  const { language, organisation, customer, orderNumber, items } = email;
  const content = {
    language: language ?? null,
    organisation,
    customer,
    orderNumber,
    items,
    worksUntil: linkExpiry(askedAt),
  };
  return { ...outcome, content };
}

function describeSubject(email: PendingEmail): Pick<PendingReceipt, 'orderNumber' | 'delivery'> | null {
  if (email.kind !== 'receipt') return null;
  return { orderNumber: email.orderNumber, delivery: email.delivery ?? null };
}

/** How long a claim lasts after its holder stopped. The store's own clock measures it. */
export const CLAIM_LASTS_MS = 15_000;

/** So much must be left of a claim when its mail is begun: the mail server needs time, and the clocks may differ. */
export const SENDING_MARGIN_MS = 5_000;

/**
 * Whether sending may start under a claim that was requested at `askedAt`, by the same clock. A process that froze since
 * then may have lost the claim, and so may one whose clock was set back, because it cannot measure the time.
 */
export function maySend(askedAt: Date, now: Date): boolean {
  return isClaimSure(now.getTime() - askedAt.getTime());
}

/**
 * Whether enough time of a claim is left to send under it, `elapsed` milliseconds after its last successful renewal was
 * requested. The time counts from the request, not from the answer, because the store may have renewed the claim long
 * before it answered.
 */
export function isClaimSure(elapsed: number): boolean {
  return elapsed >= 0 && elapsed <= CLAIM_LASTS_MS - SENDING_MARGIN_MS;
}

/**
 * Composes and sends a claimed e-mail. If too little time of the claim is left, it sends nothing and returns null. Then,
 * and if sending throws, it releases the claim, so that nobody waits for it to lapse.
 */
export async function sendUnderClaim<Answer extends { readonly kind: string }>(
  send: () => Promise<Answer | LapsedClaim>,
  release: () => Promise<void>,
): Promise<Answer | null> {
  const answer = await sendOrRelease();
  if (!isLapsed(answer)) return answer;
  await release();
  return null;

  async function sendOrRelease(): Promise<Answer | LapsedClaim> {
    try {
      // Within, since a mail that cannot be composed throws before there is anything to await.
      return await send();
    } catch (error) {
      // The first error says what went wrong.
      await release().catch(() => undefined);
      throw error;
    }
  }
}

function isLapsed(answer: { readonly kind: string }): answer is LapsedClaim {
  return answer.kind === 'claim-lapsed';
}
