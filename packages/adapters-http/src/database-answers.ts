import { DomainError } from '@handover/domain';
import type { DatabaseProbe } from './http-ports.ts';

const PATIENCE_MS = 500;
const ANSWER_WITHIN_MS = 300;

/**
 * Waits for work on the database for as long as the database is there. A busy one may take its time; one that does
 * not even answer a trivial question is away, and whoever asked hears so within a second.
 *
 * @throws DomainError `store-unavailable` when it is away. Whether the work was applied is then not known.
 */
export function whileDatabaseAnswers<T>(database: DatabaseProbe, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let settled = false;
    let timer = setTimeout(ask, PATIENCE_MS);

    async function ask(): Promise<void> {
      const there = await databaseAnswers(database, ANSWER_WITHIN_MS);
      if (settled) return;
      if (there) timer = setTimeout(ask, PATIENCE_MS);
      else reject(new DomainError('store-unavailable', 'The database does not answer.'));
    }

    work.then(resolve, reject).finally(() => {
      settled = true;
      clearTimeout(timer);
    });
  });
}

/** The probe's answer, held to its word: one that hangs or fails itself is a no. */
export function databaseAnswers(database: DatabaseProbe, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, withinMs, false);
    database
      .answers(withinMs)
      .then(resolve, () => resolve(false))
      .finally(() => clearTimeout(timer));
  });
}
