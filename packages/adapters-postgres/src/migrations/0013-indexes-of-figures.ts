import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // All that the figures of a day need, so that the rows themselves are not read.
  `create index deliveries_by_time on deliveries (org_id, received_at) include (connection_id, order_id, status)
    where order_id is not null and status <> 'ignored'`,
  'create index receipts_by_sending on receipts (org_id, sent_at) include (created_at) where sent_at is not null',
  'create index sessions_by_last_byte on download_sessions (org_id, last_byte_at)',
];

export const indexesOfFigures: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
