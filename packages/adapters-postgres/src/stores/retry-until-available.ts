import { setTimeout as pause } from 'node:timers/promises';
import { isStoreUnavailable } from '../store-errors.ts';

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * A mail that was accepted while the database is away would be mailed again, unless its being sent is written
 * down before the claim's lapse lets anyone else at it: so we knock until the database is back. Doing it
 * twice, when only the answer to the commit was lost, changes nothing.
 */
export async function retryUntilAvailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error) || performance.now() > giveUpAt) throw error;
    }
    await pause(PAUSE_MS);
  }
}
