import { DomainError, type Timer } from '@handover/domain';
import type { DatabaseProbe } from './http-ports.ts';
import { systemTimer } from './system-timer.ts';

// Together less than a second. A machine that is short of time takes long over a connection of its own.
const WAIT_TIMEOUT_MS = 350;
const ANSWER_WITHIN_MS = 500;

/**
 * Waits for work on the database for as long as the database is there. A busy one may take its time; one that does
 * not even answer a trivial question is away, and whoever asked hears so within a second.
 *
 * @throws DomainError `store-unavailable` when it is away. Whether the work was applied is then not known.
 */
export function whileDatabaseAnswers<T>(
  database: DatabaseProbe,
  work: Promise<T>,
  timer: Timer = systemTimer,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let completed = false;
    let callOff = timer.start(WAIT_TIMEOUT_MS, ask);

    async function ask(): Promise<void> {
      const there = await databaseAnswers(database, ANSWER_WITHIN_MS, timer);
      if (completed) return;
      if (there) callOff = timer.start(WAIT_TIMEOUT_MS, ask);
      else reject(new DomainError('store-unavailable', 'The database does not answer.'));
    }

    work.then(resolve, reject).finally(() => {
      completed = true;
      callOff();
    });
  });
}

/** The probe's answer, held to its word: one that hangs or fails itself is a no. */
export function databaseAnswers(
  database: DatabaseProbe,
  withinMs: number,
  timer: Timer = systemTimer,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Once more round the loop: it may be we who were busy, and the answer is there to be read.
    const callOff = timer.start(withinMs, async () => {
      await timer.yieldTurn();
      resolve(false);
    });
    database
      .answers(withinMs)
      .then(resolve, () => resolve(false))
      .finally(callOff);
  });
}
