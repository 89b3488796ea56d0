import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const WAIT_TIMEOUT_MS = 60_000;
const PAUSE_MS = 1_000;
/** A process that was frozen within a try finds no answer when it goes on, and must not take that for a minute of tries. */
const MAX_COUNTED_MS = 10_000;

/** Waits for a database that is still starting (for example after a power cut), or whose connection is lost. */
export async function retryUntilAvailable<Result>(
  log: Logger,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let waited = 0;
  for (;;) {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      const away = error instanceof Error && 'code' in error && error.code === 'store-unavailable';
      waited += Math.min(performance.now() - began, MAX_COUNTED_MS) + PAUSE_MS;
      if (!away || signal?.aborted || waited > WAIT_TIMEOUT_MS) throw error;
      log.warn({ err: error }, 'the database does not answer yet; trying again');
      await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
