import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // The entry or receipt that went wrong: by it, a receipt that is of no order is found again.
  'alter table alerts add column subject_id uuid',
  `update alerts set subject_id =
    case when cause = 'receipt-refused' then substring(about from '^receipt (.+)$')::uuid else delivery_id end`,
];

export const subjectsOfAlerts: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
