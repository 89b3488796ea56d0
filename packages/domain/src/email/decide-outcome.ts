import type { AlertMail } from '../model/alert.ts';
import type { MailAnswer, PostponedMail } from '../model/mail-answer.ts';
import type { EmailKind, EmailOutcome, PendingEmail } from '../model/outgoing-email.ts';
import type { PendingEmailFacts } from '../model/pending-email.ts';
import { SIGN_IN_LIFETIME_MS } from '../model/sign-in.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSES_MS = [5 * SECOND, 15 * SECOND, 45 * SECOND, 2 * MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** After three days of failed tries, an e-mail is given up, and people are told. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 60 * MINUTE;

/** A sign-in link is retried often, because a person waits for it, and only as long as it works. */
const SIGN_IN_PAUSE_MS = 10 * SECOND;

/**
 * Decides what an answer of the mail server means for an e-mail. A refusal is final. Any other failure is retried with growing
 * pauses until it is given up: see `nextTryAt`.
 */
export function decideOutcome(
  email: PendingEmail,
  mailAnswer: MailAnswer | PostponedMail,
  now: Date,
): EmailOutcome {
  const { kind, answer } = mailAnswer;
  if (kind === 'postponed') {
    return { kind, at: now, answer, reason: answer, nextTryAt: mailAnswer.until };
  }
  if (kind === 'accepted') return { kind: 'sent', at: now, answer };
  const next = kind === 'refused' ? null : nextTryAt(email.kind, email, now);
  if (next) {
    return {
      kind: 'try-again',
      at: now,
      answer,
      reason: explain(email, 'try-again', answer),
      nextTryAt: next,
    };
  }
  const end = kind === 'refused' ? 'refused' : 'given-up';
  return { kind: 'refused', at: now, answer, reason: explain(email, end, answer) };
}

/** The result of a failed try. `given-up`: no mail server accepted it in time. */
type FailedTry = 'try-again' | 'refused' | 'given-up';

/** When an e-mail that was not accepted is tried again; null if it is given up. */
export function nextTryAt(
  kind: EmailKind,
  { attempts, pendingSince }: Pick<PendingEmailFacts, 'attempts' | 'pendingSince'>,
  now: Date,
): Date | null {
  const isSignIn = kind === 'sign-in';
  const next = new Date(now.getTime() + (isSignIn ? SIGN_IN_PAUSE_MS : pauseAfter(attempts + 1)));
  const giveUpAfter = isSignIn ? SIGN_IN_LIFETIME_MS : GIVE_UP_AFTER_MS;
  return next.getTime() - pendingSince.getTime() > giveUpAfter ? null : next;
}

/** The pause before the next try after `attempts` failed ones, in milliseconds. */
function pauseAfter(attempts: number): number {
  return PAUSES_MS[attempts - 1] ?? 60 * MINUTE;
}

/** A sentence about a failed try. For other kinds of e-mail, no page shows more than the answer. */
function explain(email: PendingEmail, end: FailedTry, answer: string): string {
  switch (email.kind) {
    case 'receipt':
      return explainReceipt(end, answer);
    case 'alert':
      return explainAlertMail(email, end, answer);
    default:
      return answer;
  }
}

/** The sentence for the activity log, which has it once the mail is given up. */
function explainAlertMail({ to }: Pick<AlertMail, 'to'>, end: FailedTry, answer: string): string {
  if (end === 'try-again') return `An alert was not taken: “${answer}”`;
  return `An alert to ${to.join(', ') || 'nobody'} could not be mailed. The last answer: “${answer}”`;
}

/** The reason of the entries of the log that wait for the receipt. */
function explainReceipt(end: FailedTry, answer: string): string {
  switch (end) {
    case 'try-again':
      return `The mail server did not take the receipt: “${answer}” It is tried again automatically.`;
    case 'refused':
      return `The mail server refused the receipt: “${answer}”`;
    case 'given-up':
      return `The receipt could not be mailed for three days. The last answer: “${answer}”`;
  }
}
