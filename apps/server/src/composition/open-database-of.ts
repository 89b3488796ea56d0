import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Holder, StopLimits } from '@handover/embedded-postgres';
import {
  claimDirectory,
  findEmbeddedPostgres,
  isPostmasterThere,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '@handover/embedded-postgres';
import type { Logger } from 'pino';
import { describeServer, guessServer, readFacts, type ServerFacts } from '../serve/server-facts.ts';
import type { Settings } from '../settings/settings.ts';
import { endOnSignal } from './end-on-signal.ts';

/** The database of the settings, whatever tables it has. */
export interface OpenedDatabase {
  readonly databaseUrl: string;
  /** Of the server that runs here, or of the settings. */
  readonly siteUrl: string;
  readonly server: ServerFacts;
  /** Whether a server of this DATA_DIR runs, and this is its database. */
  readonly isBesideServer: boolean;
  /** Resolves if the embedded database, started by this program, ends unexpectedly. */
  readonly databaseIsLost: Promise<void>;
  close(): Promise<void>;
}

/** Receives a function that ends this process's embedded database within the limits, whatever the database does. */
export type OnDatabase = (end: (limits: StopLimits) => Promise<void>) => void;

/** Another program uses this DATA_DIR. */
export class DataDirHeldError extends Error {
  readonly code = 'data-dir-held';
}

/** Of a database that this process did not start. */
const NOT_STARTED = { databaseIsLost: new Promise<never>(() => {}), close: async () => {} };
const WATCH_EVERY_MS = 2000;
const COMMAND_TIMEOUT_MS = 20_000;
/** A program that sends a signal to a command waits for its end. */
const STOP_LIMITS: StopLimits = { fastMs: 10_000, immediateMs: 2_000 };

/** Opens the database of DATABASE_URL, or starts the embedded one. Nothing in it is read or changed. */
export async function openDatabaseOf(
  settings: Settings,
  log: Logger,
  holder: Holder,
  onDatabase: OnDatabase = () => undefined,
): Promise<OpenedDatabase> {
  const { databaseUrl, siteUrl, dataDir } = settings;
  if (databaseUrl !== null) {
    const server = guessServer(settings);
    return { ...NOT_STARTED, databaseUrl, siteUrl, server, isBesideServer: false };
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return openEmbeddedDatabase(settings, log, holder, onDatabase);
}

async function openEmbeddedDatabase(
  settings: Settings,
  log: Logger,
  holder: Holder,
  onDatabase: OnDatabase,
): Promise<OpenedDatabase> {
  const { dataDir } = settings;
  const directory = join(dataDir, 'postgres');
  const deadline = performance.now() + COMMAND_TIMEOUT_MS;
  for (;;) {
    const claim = await claimDirectory(dataDir, holder);
    if (claim.kind === 'claimed') {
      return startDatabase(settings, log, holder, onDatabase, claim.release);
    }
    // A command runs beside a server, on the server's database. It waits for the end of any other holder.
    if (claim.by.kind === 'server') {
      if (holder.kind === 'server') throw new DataDirHeldError(describeHolder(dataDir, claim.by));
      const url = await findEmbeddedPostgres(directory);
      if (url !== null) {
        return {
          ...NOT_STARTED,
          databaseUrl: url,
          siteUrl: claim.by.url ?? settings.siteUrl,
          server: readFacts(claim.by.facts) ?? guessServer(settings),
          isBesideServer: true,
        };
      }
    }
    if (performance.now() > deadline) throw new DataDirHeldError(describeHolder(dataDir, claim.by));
    await pause(100);
  }
}

/** In a directory that this process has claimed, until it is closed. */
async function startDatabase(
  settings: Settings,
  log: Logger,
  holder: Holder,
  onDatabase: OnDatabase,
  release: () => Promise<void>,
): Promise<OpenedDatabase> {
  const directory = join(settings.dataDir, 'postgres');
  onDatabase((limits) => stopEmbeddedPostgres(directory, limits));
  // A server ends it in its own time.
  const stayOnSignal =
    holder.kind === 'command'
      ? endOnSignal(() => stopEmbeddedPostgres(directory, STOP_LIMITS))
      : () => undefined;
  try {
    const postgres = await startEmbeddedPostgres({ directory, log: (line) => log.info(line) });
    onDatabase(postgres.stop);
    const watch = watchPostgres(directory);
    return {
      databaseUrl: postgres.url,
      siteUrl: settings.siteUrl,
      server: describeServer(settings),
      isBesideServer: false,
      databaseIsLost: watch.isLost,
      close: () => {
        watch.end();
        return postgres.stop().finally(release).finally(stayOnSignal);
      },
    };
  } catch (error) {
    stayOnSignal();
    await release();
    throw error;
  }
}

/** Only a start of this program starts an embedded database, so its end must be noticed. */
function watchPostgres(directory: string): { readonly isLost: Promise<void>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const isLost = new Promise<void>((resolve) => {
    let misses = 0;
    timer = setInterval(async () => {
      // A look that fails, such as for want of file handles, says nothing.
      misses = (await isPostmasterThere(directory).catch(() => true)) ? 0 : misses + 1;
      if (misses === 2) resolve();
    }, WATCH_EVERY_MS).unref();
  });
  return { isLost, end: () => clearInterval(timer) };
}

function describeHolder(dataDir: string, by: Holder & { readonly pid: number }): string {
  const at = by.url ? ` at ${by.url}` : '';
  return (
    `${by.what} (process ${by.pid}) already works in ${dataDir}${at}. ` +
    'Stop it first, or give this one a directory and a port of its own: DATA_DIR=… PORT=…'
  );
}
