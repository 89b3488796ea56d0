import type { Log } from './connect-database.ts';

export interface QuietLog {
  error(err: unknown): void;
  warn(message: string): void;
}

const QUIET_FOR_MS = 30_000;

/**
 * Workers that look twice a second have much to say of an outage. Each thing is said once, then kept for a
 * while.
 */
export function createQuietLog(log: Log): QuietLog {
  const saidAt = new Map<string, number>();
  const once = (message: string, say: () => void): void => {
    const now = performance.now();
    for (const [text, at] of saidAt) if (now - at > QUIET_FOR_MS) saidAt.delete(text);
    if (saidAt.has(message)) return;
    saidAt.set(message, now);
    say();
  };
  return {
    error: (err) =>
      once(withoutWorker(messageOf(err)), () => log.error({ err }, 'The job queue met an error; it goes on')),
    warn: (message) =>
      once(withoutWorker(message), () => log.warn({ err: new Error(message) }, 'The job queue warns')),
  };
}

/** What pg-boss emits need not be an Error: it may be a copy of one. */
function messageOf(err: unknown): string {
  return typeof err === 'object' && err !== null && 'message' in err ? String(err.message) : String(err);
}

/** pg-boss names the worker in each message. */
function withoutWorker(message: string): string {
  return message.replace(/ \(Queue: [^()]*\)$/, '').replace(/\d+/g, '0');
}
