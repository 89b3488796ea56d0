import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Of the openings that there were before, only the latest is known.
  'alter table download_links add column first_opened_at timestamptz(3)',
  'alter table receipts add column last_answer_at timestamptz(3)',
  // All purchases of a buyer, or of one shop, newest first.
  'create index purchases_of_customer_newest_first on purchases (org_id, customer_id, created_at desc, id desc)',
  'drop index purchases_of_customer',
  'create index purchases_by_source on purchases (org_id, source, created_at desc, id desc)',
];

export const purchasesPage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
