import { sql } from 'kysely';
import type { Db, Trx } from './schema.ts';

/**
 * Runs the work in one transaction and returns its result. `giveUp(answer)` rolls everything back and returns
 * `answer`.
 */
export async function transact<Answer>(
  db: Db,
  work: (trx: Trx, giveUp: (answer: Answer) => never) => Promise<Answer>,
): Promise<Answer> {
  const surrender: { answer?: Answer } = {};
  const giveUp = (answer: Answer): never => {
    surrender.answer = answer;
    throw surrender;
  };
  try {
    return await runTransaction(db, (trx) => work(trx, giveUp));
  } catch (error) {
    if (error === surrender && 'answer' in surrender) return surrender.answer as Answer;
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
