import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // The latest orders of a connection, without reading a row.
  `create index orders_of_connection on deliveries (org_id, connection_id, id desc) include (received_at)
    where order_id is not null`,
];

export const overview: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
