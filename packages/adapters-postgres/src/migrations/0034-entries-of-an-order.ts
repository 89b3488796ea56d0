import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // With the ids in it, the entries of an order are found without a look at their rows. Made last, it is also what the planner
  // takes where a table that was not analysed yet gives it no reason to prefer one index.
  'drop index deliveries_of_order',
  'create index deliveries_of_order on deliveries (org_id, connection_id, order_id, id)',
];

export const entriesOfAnOrder: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
