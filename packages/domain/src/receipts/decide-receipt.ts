import type { PostponedMail } from './mail-limit.ts';
import type { MailAnswer } from './receipt.ts';
import type { OwedReceipt, ReceiptOutcome } from './receipt-claim.ts';

/** A mail server has three days to come back; after that a person must look. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSES_MS = [5 * SECOND, 15 * SECOND, 45 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/**
 * What an answer of the mail server means for a receipt. A refusal of this recipient is final; anything else is tried
 * again, with growing pauses (up to an hour) for three days.
 */
export function decideReceipt(
  receipt: Pick<OwedReceipt, 'attempts' | 'owedSince'>,
  mailAnswer: MailAnswer | PostponedMail,
  now: Date,
): ReceiptOutcome {
  const { kind, answer } = mailAnswer;
  if (kind === 'postponed') {
    return { kind, at: now, answer, reason: answer, nextTryAt: mailAnswer.until };
  }
  if (kind === 'accepted') return { kind: 'sent', at: now, answer };
  if (kind === 'refused') {
    return { kind: 'refused', at: now, answer, reason: `The mail server refused the receipt: “${answer}”` };
  }
  const next = nextTryAt(receipt, now);
  if (!next) {
    const reason = `The receipt could not be mailed for three days. The last answer: “${answer}”`;
    return { kind: 'refused', at: now, answer, reason };
  }
  const reason = `The mail server did not take the receipt: “${answer}” It is tried again by itself.`;
  return { kind: 'try-again', at: now, answer, reason, nextTryAt: next };
}

/** When a mail that was not taken is tried again; null when it is given up. */
export function nextTryAt(
  { attempts, owedSince }: Pick<OwedReceipt, 'attempts' | 'owedSince'>,
  now: Date,
): Date | null {
  const next = new Date(now.getTime() + pauseAfter(attempts + 1));
  return next.getTime() - owedSince.getTime() > GIVE_UP_AFTER_MS ? null : next;
}

/** The pause before the next try, in milliseconds, after so many failed ones. */
export function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? 60 * MINUTE;
}
