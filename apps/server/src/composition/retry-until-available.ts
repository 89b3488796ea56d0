import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

const WAIT_TIMEOUT_MS = 60_000;
const PAUSE_MS = 1_000;

/** Waits for a database that is still starting (for example after a power cut), or whose connection is lost. */
export async function retryUntilAvailable<Result>(
  log: Logger,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof Error && 'code' in error && error.code === 'store-unavailable';
      if (!away || signal?.aborted || performance.now() > deadline) throw error;
      log.warn({ err: error }, 'the database does not answer yet; trying again');
      await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
