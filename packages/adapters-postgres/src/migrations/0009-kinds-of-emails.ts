import type { Migration } from './migration-kinds.ts';

export const kindsOfEmails: Migration = {
  kind: 'validation',
  compatibleWith: '0007-needs-you',
  constraints: [{ table: 'outgoing_emails', name: 'outgoing_emails_kind_check' }],
};
