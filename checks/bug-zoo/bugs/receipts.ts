import type { Bug } from '../bug.ts';

const RECEIPTS = 'packages/domain/test/receipts.test.ts';
const MAIL_LIMIT = 'packages/domain/test/mail-limit.test.ts';
const STORES = 'packages/domain/test/in-memory-stores.test.ts';

/** Receipts, mailing them again, and the limit of mails: packages/domain/src/receipts. */
export const RECEIPT_BUGS: readonly Bug[] = [
  {
    name: 'receipt-is-tried-for-a-month',
    rule: 'A receipt is given up three days after it became due.',
    file: 'packages/domain/src/email/decide-outcome.ts',
    find: 'GIVE_UP_AFTER_MS = 3 * 24 * 60 * MINUTE',
    replace: 'GIVE_UP_AFTER_MS = 30 * 24 * 60 * MINUTE',
    seenBy: [RECEIPTS],
  },
  {
    name: 'first-pause-is-an-hour',
    rule: 'The first pause before another try is the shortest.',
    file: 'packages/domain/src/email/decide-outcome.ts',
    find: 'pauseAfter(attempts + 1)',
    replace: 'pauseAfter(attempts)',
    seenBy: [RECEIPTS],
  },
  {
    name: 'late-answer-is-final',
    rule: 'Only a refusal of the recipient is final; anything else is tried again.',
    file: 'packages/domain/src/email/decide-outcome.ts',
    find: "kind === 'refused' ? null : nextTryAt(email.kind, email, now)",
    replace: 'null as Date | null',
    seenBy: [RECEIPTS],
  },
  {
    name: 'two-presses-mail-twice',
    rule: 'A receipt that is asked for twice in the place of one is mailed once.',
    file: 'packages/domain/src/purchases/resend-receipt.ts',
    find: "if (receipt && !isAsSeen) return { kind: 'done-before', email, status: receipt.status };",
    replace: '',
    seenBy: [STORES],
    tests: 'receipt',
  },
  {
    name: 'revoked-purchase-is-mailed-again',
    rule: 'Nothing is mailed of a purchase that is revoked.',
    file: 'packages/domain/src/purchases/resend-receipt.ts',
    find: "if (mailing.purchases.some(({ revoked }) => revoked)) return { kind: 'revoked' };",
    replace: '',
    seenBy: [STORES],
    tests: 'revoked',
  },
  {
    name: 'corrected-address-leaves-old-links',
    rule: 'Links that went to a wrong address stop working once it is corrected.',
    file: 'packages/domain/src/purchases/correct-address.ts',
    find: 'revokesFormerLinks: true',
    replace: 'revokesFormerLinks: false',
    seenBy: [STORES],
    tests: 'address',
  },
  {
    name: 'replaced-links-go-on',
    rule: 'Links that are replaced stop working.',
    file: 'packages/domain/src/purchases/resend-receipt.ts',
    find: 'revokesFormerLinks: replacesLinks',
    replace: 'revokesFormerLinks: false',
    seenBy: [STORES],
    tests: 'can end the links',
  },
  {
    name: 'outage-uses-up-the-limit',
    rule: 'A mail that the mail server did not take counts for nothing.',
    file: 'packages/domain/src/email/limit-mails.ts',
    find: "answer.kind === 'try-again' || answer.kind === 'claim-lapsed'",
    replace: "answer.kind === 'claim-lapsed'",
    seenBy: [MAIL_LIMIT],
  },
  {
    name: 'flood-locks-people-out',
    rule: 'A sign-in is never held back by the limit of mails.',
    file: 'packages/domain/src/email/limit-mails.ts',
    find: "case 'sign-in':\n    case 'new-device':\n      return null;",
    replace: "case 'new-device':\n      return null;\n    case 'sign-in':\n      return maxPerHour;",
    seenBy: [MAIL_LIMIT],
  },
  {
    name: 'postponed-receipt-is-a-failed-try',
    rule: 'A receipt that the limit postpones was not tried.',
    file: 'packages/domain/src/memory/outgoing-emails.ts',
    find: "if (outcome.kind === 'postponed') {",
    replace: "if (outcome.kind === ('later' as string)) {",
    seenBy: [STORES],
    tests: 'mail',
  },
  {
    name: 'receipt-is-sent-before-it-is-claimed',
    rule: 'A receipt is mailed only by the process that has claimed it.',
    file: 'packages/domain/src/memory/outgoing-emails.ts',
    find: "if (held) return { kind: 'not-now', at: held };",
    replace: '',
    seenBy: [STORES],
    tests: 'is had by one only',
  },
];
