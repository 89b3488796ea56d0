import { executeEach } from './execute-each.ts';
import type { Migration } from './migration-kinds.ts';

/** People search for an order by its number. What was rejected before is found by its id and its address. */
const CHANGES = `
  alter table rejected_deliveries add column order_number text;
`;

export const numbersOfRejected: Migration = {
  kind: 'tables',
  compatibleWith: '0027-revoked-links',
  up: (db) => executeEach(db, CHANGES),
};
