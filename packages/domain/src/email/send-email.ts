import { linkExpiry } from '../model/download-link.ts';
import type { ClaimEnd, ExpiredClaim, MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind, EmailOutcome, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingReceipt } from '../model/receipt.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { LimitedMailer, OutgoingEmails } from '../ports/mails.ts';
import { type ComposePorts, composeEmail } from './compose-email.ts';
import { decideOutcome } from './decide-outcome.ts';

/** The ports for sending an e-mail. */
export interface SendEmailPorts extends ComposePorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outgoingEmails: Pick<OutgoingEmails, 'claim' | 'complete' | 'release'>;
  readonly mailer: LimitedMailer;
}

/**
 * `answered`: the e-mail was sent, refused or postponed; with `isGivenUp` it is not tried again. `end`: whether the answer
 * was stored, which needs the claim. `not-pending`: there is nothing to send (any more). `not-now`: try again at that time.
 */
export type SendEmailResult =
  | {
      readonly kind: 'answered';
      readonly emailKind: EmailKind;
      readonly answer: MailAnswer | PostponedMail;
      readonly isGivenUp: boolean;
      readonly end: ClaimEnd;
      /** The order of a receipt; null for other e-mails. */
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

/** Adds the content of a receipt that was sent, so that the dashboard can show it. */
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

/** How long a claim lasts after its last renewal, by the store's clock. */
export const CLAIM_LASTS_MS = 15_000;

/** The time that must be left on a claim when sending starts: the mail server needs time, and clocks may differ. */
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
 * Calls `send`, and returns its answer; null if it answers that too little time of the claim is left. Then, and if it throws,
 * the claim is released, so that nobody waits until it expires.
 */
export async function sendUnderClaim<Answer extends { readonly kind: string }>(
  send: () => Promise<Answer | ExpiredClaim>,
  release: () => Promise<void>,
): Promise<Answer | null> {
  const answer = await sendOrRelease();
  if (!isExpired(answer)) return answer;
  await release();
  return null;

  async function sendOrRelease(): Promise<Answer | ExpiredClaim> {
    try {
      return await send();
    } catch (error) {
      // An error of `release` must not replace the first one.
      await release().catch(() => undefined);
      throw error;
    }
  }
}

function isExpired(answer: { readonly kind: string }): answer is ExpiredClaim {
  return answer.kind === 'claim-expired';
}
