import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `create index deliveries_of_purchase on delivery_lines (org_id, purchase_id, delivery_id)
    where purchase_id is not null`,
  'drop index lines_of_purchase',
  // The webhook log goes by id, which is in the order of time.
  'drop index deliveries_newest_first',
];

export const indexOfLines: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
