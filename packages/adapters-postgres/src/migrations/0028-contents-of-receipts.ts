import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** Receipts that were sent before keep none: they are put together again when they are shown. */
const CHANGES = `
  alter table outgoing_emails add column sent_content jsonb;
`;

export const contentsOfReceipts: Migration = {
  kind: 'tables',
  compatibleWith: '0027-revoked-links',
  up: (db) => executeEach(db, CHANGES),
};
