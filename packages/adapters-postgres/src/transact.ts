import type { Kysely, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Runs the work in one transaction and answers what it answers. `giveUp(answer)` rolls everything back, and
 * `answer` is the answer.
 */
export async function transact<Answer>(
  db: Kysely<Schema>,
  work: (trx: Transaction<Schema>, giveUp: (answer: Answer) => never) => Promise<Answer>,
): Promise<Answer> {
  const surrender: { answer?: Answer } = {};
  const giveUp = (answer: Answer): never => {
    surrender.answer = answer;
    throw surrender;
  };
  try {
    return await db.transaction().execute((trx) => work(trx, giveUp));
  } catch (error) {
    if (error === surrender && 'answer' in surrender) return surrender.answer as Answer;
    throw error;
  }
}
