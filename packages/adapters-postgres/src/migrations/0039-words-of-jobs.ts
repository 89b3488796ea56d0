import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Jobs that resolve an entry were named otherwise. A former version of the server must be stopped before. */
export const wordsOfJobs: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`update jobs set kind = 'resolve-delivery' where kind = 'settle-delivery'`.execute(db);
  },
};
