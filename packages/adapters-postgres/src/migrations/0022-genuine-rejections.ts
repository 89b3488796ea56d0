import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** Which rejected requests were worth an alert. Null: a program wrote it that does not say. */
export const genuineRejections: Migration = {
  kind: 'tables',
  compatibleWith: '0021-tails-of-order-ids',
  up: (db) => sql`alter table rejected_deliveries add column is_genuine boolean`.execute(db),
};
