import { sql } from 'kysely';
import type { Migration } from './migration-kinds.ts';

/** From here on a user can have a second key. Only a program that knows of names adds one. */
export const manyApiKeys: Migration = {
  kind: 'tables',
  compatibleWith: '0003-traced-deliveries',
  up: (db) =>
    sql`
      alter table api_keys
        drop constraint api_keys_pkey,
        add constraint api_keys_pkey primary key using index api_keys_by_name
    `.execute(db),
};
