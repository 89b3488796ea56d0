import { sql } from 'kysely';
import type { Db, Trx } from './schema.ts';
import { isTimeLimit } from './store-errors.ts';

/**
 * Runs the work in one transaction and returns its result. `giveUp(answer)` rolls everything back and returns
 * `answer`.
 */
export async function transact<Answer>(
  db: Db,
  work: (trx: Trx, giveUp: (answer: Answer) => never) => Promise<Answer>,
): Promise<Answer> {
  const aborted: { answer?: Answer } = {};
  const giveUp = (answer: Answer): never => {
    aborted.answer = answer;
    throw aborted;
  };
  try {
    return await runTransaction(db, (trx) => work(trx, giveUp));
  } catch (error) {
    if (error === aborted && 'answer' in aborted) return aborted.answer as Answer;
    throw error;
  }
}

/** Runs the work in its own transaction; within an open one, in a savepoint, so that it can fail alone. */
export function runTransaction<Answer>(db: Db, work: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  return isTransaction(db) ? runPart(db, work) : db.transaction().execute(work);
}

function isTransaction(db: Db): db is Trx {
  return db.isTransaction;
}

async function runPart<Answer>(trx: Trx, work: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  // A nested savepoint may have the same name: the newest one is meant.
  await sql`savepoint part`.execute(trx);
  try {
    const answer = await work(trx);
    await sql`release savepoint part`.execute(trx);
    return answer;
  } catch (error) {
    // A lost connection ends the whole transaction, and the first error says so.
    await undoPart(trx).catch(() => undefined);
    throw error;
  }
}

async function undoPart(trx: Trx): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx);
  await sql`release savepoint part`.execute(trx);
}

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
