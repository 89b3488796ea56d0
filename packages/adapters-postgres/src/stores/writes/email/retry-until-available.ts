import { setTimeout as pause } from 'node:timers/promises';
import { isStoreUnavailable } from '../../../database/store-errors.ts';

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * A mail that was accepted while the database is down would be mailed again, unless this is recorded before the claim
 * expires: so it retries until the database is back. Recording it twice, if only the answer to the commit was lost,
 * changes nothing.
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
