import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/**
 * Whose a purchase was before its address was corrected. The shop goes on naming that address when it sends the order again. Null:
 * never corrected, or before this was kept.
 */
const CHANGES = `
  alter table purchases add column first_customer_id uuid;
`;

export const firstCustomers: Migration = {
  kind: 'tables',
  compatibleWith: '0027-revoked-links',
  up: (db) => executeEach(db, CHANGES),
};
