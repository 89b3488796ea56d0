import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/schema.ts';

export async function countRows(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::integer as count from (${query}) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}
