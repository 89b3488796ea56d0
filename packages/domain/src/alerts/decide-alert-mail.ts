import { nextTryAt } from '../receipts/decide-receipt.ts';
import type { PostponedMail } from '../receipts/mail-limit.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { ReceiptOutcome } from '../receipts/receipt-claim.ts';
import type { OwedAlertMail } from './alert-mail.ts';

/** What an answer of the mail server means for a mail of alerts: it has the patience of a receipt. */
export function decideAlertMail(
  mail: Pick<OwedAlertMail, 'attempts' | 'owedSince' | 'to'>,
  mailAnswer: MailAnswer | PostponedMail,
  now: Date,
): ReceiptOutcome {
  const { kind, answer } = mailAnswer;
  if (kind === 'postponed') {
    return { kind, at: now, answer, reason: answer, nextTryAt: mailAnswer.until };
  }
  if (kind === 'accepted') return { kind: 'sent', at: now, answer };
  const next = kind === 'try-again' ? nextTryAt(mail, now) : null;
  if (next) {
    return {
      kind: 'try-again',
      at: now,
      answer,
      reason: `An alert was not taken: “${answer}”`,
      nextTryAt: next,
    };
  }
  const reason = `An alert to ${mail.to.join(', ') || 'nobody'} could not be mailed. The last answer: “${answer}”`;
  return { kind: 'refused', at: now, answer, reason };
}
