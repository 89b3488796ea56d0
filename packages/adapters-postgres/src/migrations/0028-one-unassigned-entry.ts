import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Why nothing can be made of an event as it came; null for an order, as all were before.
  'alter table unassigned_deliveries add column problem text',
  // An order that was sent several times waited several times: the oldest entry stays, which its sender was told first.
  `delete from unassigned_deliveries waiting using unassigned_deliveries older
    where older.account is not distinct from waiting.account
      and older.org_hint is not distinct from waiting.org_hint
      and older.order_id = waiting.order_id and older.id < waiting.id`,
  `create unique index unassigned_deliveries_of_order
    on unassigned_deliveries (account, org_hint, order_id, (problem is null)) nulls not distinct`,
];

export const oneUnassignedEntry: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
