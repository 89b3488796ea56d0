import type { Bug } from '../bug.ts';

const SOURCE = 'packages/adapters-mail/src';
const TEST = 'packages/adapters-mail/test';

/** What is mailed, and what the mail server's answers mean: packages/adapters-mail. */
export const MAIL_BUGS: readonly Bug[] = [
  {
    name: 'greylisting-is-final',
    rule: 'A 4xx answer is tried again.',
    file: `${SOURCE}/server-reply.ts`,
    find: 'return permanent === true && ',
    replace: 'return ',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'full-mailbox-is-final',
    rule: 'A mailbox that is full is tried again, whatever the code says.',
    file: `${SOURCE}/server-reply.ts`,
    find: ' && !isAboutQuota(response)',
    replace: '',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'our-own-refusal-is-the-buyers',
    rule: 'What the mail server has against us is not final for a recipient.',
    file: `${SOURCE}/server-reply.ts`,
    find: ' && !isAboutUs(response)',
    replace: '',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'refused-sign-in-is-final',
    rule: 'Only an answer to the recipient or the message can be final.',
    file: `${SOURCE}/server-reply.ts`,
    find: "if (command !== 'RCPT TO' && command !== 'DATA') return false;",
    replace: '',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'credentials-in-the-clear',
    rule: 'Credentials travel over a network only encrypted.',
    file: `${SOURCE}/create-smtp-mailer.ts`,
    find: "return password !== '' && !isLoopback;",
    replace: 'return false;',
    seenBy: [`${TEST}/requires-tls.test.ts`],
  },
  {
    name: 'every-try-is-another-mail',
    rule: 'Every try of one mail has the same Message-ID.',
    file: `${SOURCE}/format-message.ts`,
    find: 'return `<${kind}-${local}@${sender.domain}>`;',
    replace: 'return `<${kind}-${local}-${Date.now()}-${Math.random()}@${sender.domain}>`;',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'answer-repeats-the-password',
    rule: 'What a mail server says is kept without our credentials.',
    file: `${SOURCE}/server-reply.ts`,
    find: "text.replaceAll(secret, '•••')",
    replace: 'text',
    seenBy: [`${TEST}/create-smtp-mailer.test.ts`],
  },
  {
    name: 'reply-goes-to-the-service',
    rule: 'Replies to a receipt go to its organisation.',
    file: `${SOURCE}/compose-email.ts`,
    find: '...(answeredAt && { replyTo: { name, address: answeredAt } }),',
    replace: '',
    seenBy: [`${TEST}/compose-receipt.test.ts`],
  },
  {
    name: 'name-breaks-the-header',
    rule: 'A name in a header is one line.',
    file: `${SOURCE}/one-line.ts`,
    find: '/[\\s\\p{Cc}\\p{Zl}\\p{Zp}]+/gu',
    replace: '/[ \\t]+/gu',
    seenBy: [`${TEST}/compose-receipt.test.ts`],
  },
  {
    name: 'newer-purchases-choose-the-spelling',
    rule: 'New links are mailed to the usual spelling of an address, whatever the purchases in the mail have.',
    file: 'packages/adapters-postgres/src/stores/writes/email/prepare-download-link-email.ts',
    find: '[...listed, ...(await listCustomers(trx, email))]',
    replace: 'listed',
    seenBy: ['packages/adapters-postgres/test/stores.db.test.ts'],
    tests: 'whatever other spelling',
  },
];
