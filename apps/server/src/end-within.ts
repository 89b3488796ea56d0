import { Worker } from 'node:worker_threads';
import type { StopLimits } from '@handover/embedded-postgres';
import type { Logger } from 'pino';

export type EndDatabase = (limits: StopLimits) => Promise<void>;

export interface Ending {
  readonly log: Logger;
  /** What is not closed yet, in words for the log. */
  leftBehind(): readonly string[];
  endDatabase: EndDatabase;
}

/** What is kept of the limit for ending the embedded database, at most. */
const DATABASE_SHARE_MS = 10_000;
/** The process must be gone when the limit is over, and not begin to go. */
const MARGIN_MS = 250;

/**
 * Ends this process within the limit, whatever hangs: first the drain is given up and an embedded database is ended by
 * force, so that none is orphaned; then the process ends though that hangs, too; and should the event loop itself stand
 * still, or a log that nobody reads, another thread kills the process.
 */
export function endWithin(limitMs: number, { log, leftBehind, endDatabase }: Ending): void {
  const share = Math.min(DATABASE_SHARE_MS, limitMs / 4);
  kill(limitMs);
  setTimeout(async () => {
    log.fatal({ leftBehind: leftBehind() }, 'the drain did not end in time; ending without it');
    // A drain that waited for the database goes on once that is ended here, and may end the process before we do.
    process.exitCode = 1;
    await endDatabase({ fastMs: share / 2, immediateMs: share / 8 }).catch((err) =>
      log.fatal({ err }, 'the embedded database could not be ended; the next start takes it over'),
    );
    process.exit(1);
  }, limitMs - share);
  setTimeout(() => {
    log.fatal({ leftBehind: leftBehind() }, 'ending at the limit; an embedded database may be left running');
    process.exit(1);
  }, limitMs - MARGIN_MS);
}

/** In plain JavaScript and without the program's loader, so that it starts at once and depends on nothing. */
const WATCHDOG = `
const { workerData } = require('node:worker_threads');
setTimeout(() => {
  require('node:fs').write(2, 'Handover did not end in time, and was killed. The next start takes over its database.\\n', () => {});
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
}, workerData - 100);
`;

function kill(afterMs: number): void {
  new Worker(WATCHDOG, { eval: true, execArgv: [], workerData: afterMs }).unref();
}
