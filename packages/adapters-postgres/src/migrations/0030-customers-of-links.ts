import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/**
 * Whom a link was made for, where the purchase has moved to another customer since: what was downloaded through it is shown
 * under that customer. Null: the purchase's customer. Corrections before this are not known.
 */
export const customersOfLinks: Migration = {
  kind: 'tables',
  compatibleWith: '0027-revoked-links',
  up: (db) => sql`alter table download_links add column customer_id uuid`.execute(db),
};
