import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

const COLUMNS = `
  alter table organisations
    add column language text not null default 'en',
    add column time_zone text not null default 'UTC';
  -- The buyer's, of receipts and of mails with new links; null where it is not known.
  alter table outgoing_emails add column language text;
`;

export const languages: Migration = {
  kind: 'tables',
  compatibleWith: '0009-kinds-of-emails',
  up: (db) => executeEach(db, COLUMNS),
};
