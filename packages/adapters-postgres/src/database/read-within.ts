import { sql } from 'kysely';
import type { Db, Trx } from './schema.ts';
import { isTimeLimit } from './store-errors.ts';
import { runTransaction } from './transact.ts';

/**
 * Reads with a time limit of its own (milliseconds). The limit ends with the transaction, so that the connection goes back to
 * its pool without it.
 */
export async function readWithin<Answer>(
  db: Db,
  maxMs: number,
  read: (trx: Trx) => Promise<Answer>,
): Promise<Answer | 'took-too-long'> {
  try {
    return await runTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${`${maxMs}ms`}, true)`.execute(trx);
      return await read(trx);
    });
  } catch (error) {
    if (isTimeLimit(error)) return 'took-too-long';
    throw error;
  }
}
