import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** A user may have several keys, told apart by their names. What is there becomes the default key, which may do everything. */
export const columnsOfApiKeys: Migration = {
  kind: 'tables',
  compatibleWith: '0003-traced-deliveries',
  up: (db) =>
    sql`
      alter table api_keys
        add column name text not null default 'default',
        -- Null: everything.
        add column scopes text[],
        add column created_at timestamptz(3),
        add column expires_at timestamptz(3),
        add column last_used_at timestamptz(3)
    `.execute(db),
};
