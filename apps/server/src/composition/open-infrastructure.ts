import timers from 'node:timers/promises';
import { countSealedInUse, migrate, prepareSchema, startDatabaseClock } from '@handover/adapters-postgres';
import type { Holder } from '@handover/embedded-postgres';
import type { Logger } from 'pino';
import { deriveTrialSecret } from '../keyring/keyring.ts';
import type { ServerFacts } from '../serve/server-facts.ts';
import type { Settings } from '../settings/settings.ts';
import { closeDataDir } from './close-data-dir.ts';
import type { Infrastructure } from './composition.ts';
import { readGeneratedSecret } from './generated-secret.ts';
import { loadPlatforms } from './load-platforms.ts';
import { type OnDatabase, openDatabaseOf } from './open-database-of.ts';

/** Opened settings: a database with this program's tables that answers, and the secrets. */
export interface OpenedInfrastructure extends Infrastructure {
  /** Resolves if the embedded database, started by this program, ends unexpectedly. */
  readonly databaseIsLost: Promise<void>;
  /**
   * The facts of the server that runs here; those of these settings if none runs, or if it could not record its own.
   */
  readonly server: ServerFacts;
  /** Closes what was opened: stops the embedded database if this program started it. Call it last. */
  close(): Promise<void>;
}

export interface OpeningOptions {
  readonly onDatabase?: OnDatabase | undefined;
  /** Ends the wait for a database that is away. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the infrastructure of a server, which has exclusive use of DATA_DIR; or of a command, which may run beside a
 * server. Then the site's URL is that of the server: it alone knows its port with PORT=0. It also tells where its
 * mails go. The embedded database is migrated; that of DATABASE_URL is refused if it has another schema.
 */
export async function openInfrastructure(
  settings: Settings,
  log: Logger,
  holder: Holder,
  { onDatabase, signal }: OpeningOptions = {},
): Promise<OpenedInfrastructure> {
  const platforms = await loadPlatforms(settings.platforms);
  if (holder.kind === 'server') closeDataDir(settings, log);
  const { close, siteUrl, ...database } = await openDatabaseOf(settings, log, holder, onDatabase);
  const { databaseUrl, server } = database;
  try {
    const isEmbedded = settings.databaseUrl === null;
    const openClock = async () => {
      if (isEmbedded) await migrate(databaseUrl);
      else await checkSchema(databaseUrl, log);
      return startDatabaseClock(databaseUrl);
    };
    const clock = isEmbedded ? await openClock() : await retryUntilAvailable(log, openClock, signal);
    const secrets = settings.secrets ?? (isEmbedded ? await readGenerated(settings, databaseUrl) : []);
    const isTrial = isEmbedded && server.paymentsA === 'trial';
    return {
      ...database,
      settings: { ...settings, siteUrl, paymentsASecrets: isTrial ? [] : settings.paymentsASecrets },
      trialSecret: isTrial ? deriveTrialSecret(secrets) : null,
      secrets,
      clock,
      log,
      platforms,
      close: () => {
        clock.stop();
        return close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readGenerated({ dataDir }: Settings, databaseUrl: string): Promise<readonly string[]> {
  const isAnythingSealed = async () => (await countSealedInUse(databaseUrl)).length > 0;
  return (await readGeneratedSecret(dataDir, isAnythingSealed)).split(',');
}

async function checkSchema(databaseUrl: string, log: Logger): Promise<void> {
  const state = await prepareSchema(databaseUrl);
  if (state.kind !== 'newer-compatible') return;
  log.warn(
    { latest: state.latest },
    'a newer version has migrated the database; this one may go on until it is replaced',
  );
}

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
  let logged = '';
  for (;;) {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      const away = error instanceof Error && 'code' in error && error.code === 'store-unavailable';
      waited += Math.min(performance.now() - began, MAX_COUNTED_MS) + PAUSE_MS;
      if (!away || signal?.aborted || waited > WAIT_TIMEOUT_MS) throw error;
      // Once for each reason: a stack every second would hide what the last line says to fix.
      if (error.message !== logged)
        log.warn({ reason: error.message }, 'the database does not answer yet; trying again for a minute');
      logged = error.message;
      // By the module's object, where tests put a pause that takes no time.
      await timers.setTimeout(PAUSE_MS, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
