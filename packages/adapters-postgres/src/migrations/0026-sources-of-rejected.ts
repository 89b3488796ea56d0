import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  "alter table rejected_deliveries add column source text not null default ''",
  // Where these came from is not known. Each counts as a source of its own, so that none is dropped for another.
  'update rejected_deliveries set source = id::text',
];

export const sourcesOfRejected: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};
