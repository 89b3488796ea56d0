import type { Log } from '../database/connect-database.ts';

export interface QuietLog {
  /** `about`: the job that failed. */
  error(err: unknown, about?: object): void;
  warn(message: string): void;
}

const QUIET_FOR_MS = 30_000;

/**
 * Workers look for jobs twice a second, and would log an error each time during an outage. Each message is logged once, then
 * suppressed for a while.
 */
export function createQuietLog(log: Log): QuietLog {
  const saidAt = new Map<string, number>();
  const once = (message: string, say: () => void): void => {
    const text = message.replace(/\d+/g, '0');
    const now = performance.now();
    for (const [other, at] of saidAt) if (now - at > QUIET_FOR_MS) saidAt.delete(other);
    if (saidAt.has(text)) return;
    saidAt.set(text, now);
    say();
  };
  return {
    error: (err, about) =>
      once(err instanceof Error ? err.message : String(err), () =>
        log.error({ err, ...about }, 'The job queue met an error; it goes on'),
      ),
    warn: (message) => once(message, () => log.warn({ err: new Error(message) }, 'The job queue warns')),
  };
}
