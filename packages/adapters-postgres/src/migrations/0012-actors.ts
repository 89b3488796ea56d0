import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Null: the service did it by itself.
  'alter table activity add column actor text',
  'create index activity_of_subject on activity (org_id, subject_id, id)',
  // The list goes by id, which is in the order of time.
  'drop index activity_newest_first',
];

export const actors: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
