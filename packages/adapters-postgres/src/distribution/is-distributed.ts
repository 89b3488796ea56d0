import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';

/**
 * Whether the tables are distributed over several nodes. Only sweeps ask: what they do for all organisations in one
 * statement, with locks, has to be written in another way there.
 */
export async function isDistributed(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db);
  return rows.length > 0;
}
