import { DomainError, type Timer } from '@handover/domain';
import type { DatabaseProbe } from './http-ports.ts';
import { systemTimer } from './system-timer.ts';

// Together less than a second. On a busy machine, opening a connection takes long.
const WAIT_TIMEOUT_MS = 350;
const ANSWER_WITHIN_MS = 500;

/**
 * Waits for database work for as long as the database responds. A busy database may take its time. One that
 * does not even answer a trivial query is unavailable, and the caller learns that within a second.
 * @throws DomainError `store-unavailable`. Whether the work was applied is then unknown.
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

    const complete = () => {
      completed = true;
      callOff();
    };
    work.then(
      (result) => {
        complete();
        resolve(result);
      },
      (error: unknown) => {
        complete();
        reject(error);
      },
    );
  });
}

/** Runs the probe: a probe that hangs or fails counts as a no. */
export function databaseAnswers(
  database: DatabaseProbe,
  withinMs: number,
  timer: Timer = systemTimer,
): Promise<boolean> {
  return new Promise((resolve) => {
    // Wait one more turn of the event loop: this process may have been busy, and the answer may be waiting
    // to be read.
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
