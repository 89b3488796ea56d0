import { Worker } from 'node:worker_threads';
import type { StopLimits } from '@handover/embedded-postgres';
import type { Logger } from 'pino';

export type EndDatabase = (limits: StopLimits) => Promise<void>;

export interface Ending {
  readonly log: Logger;
  /** What is not closed yet, as text for the log. */
  leftBehind(): readonly string[];
  endDatabase: EndDatabase;
}

/** The maximum part of the limit that is reserved for ending the embedded database. */
const DATABASE_SHARE_MS = 10_000;
/** The process must have ended at the limit, not begin to end. */
const MARGIN_MS = 250;

/**
 * Ends this process within the limit, whatever hangs. First it abandons the drain and kills the embedded database, so
 * that none is orphaned. Then the process ends even if that hangs. If the event loop is blocked, or log output
 * blocks, another thread kills the process.
 */
export function endWithin(limitMs: number, { log, leftBehind, endDatabase }: Ending): void {
  const share = Math.min(DATABASE_SHARE_MS, limitMs / 4);
  kill(limitMs);
  setTimeout(async () => {
    log.fatal({ leftBehind: leftBehind() }, 'the drain did not end in time; ending without it');
    // A drain that waited for the database continues once it has ended here, and may end the process first.
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

/** Plain JavaScript without the program's loader, so that it starts at once and has no dependencies. */
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
