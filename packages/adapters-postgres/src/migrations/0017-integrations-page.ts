import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // When a connection's newest deliveries came, without their rows.
  `create index deliveries_of_connection on deliveries (org_id, connection_id, received_at desc, id desc)
    include (order_id)`,
];

export const integrationsPage: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
