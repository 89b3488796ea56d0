import { nextTryAt } from '../receipts/decide-receipt.ts';
import type { MailAnswer } from '../receipts/receipt.ts';
import type { ReceiptOutcome } from '../receipts/receipt-claim.ts';
import type { OwedAlertMail } from './alert-mail.ts';

/** What an answer of the mail server means for a mail of alerts: it has the patience of a receipt. */
export function decideAlertMail(
  mail: Pick<OwedAlertMail, 'attempts' | 'owedSince' | 'to'>,
  { kind, answer }: MailAnswer,
  now: Date,
): ReceiptOutcome {
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
