import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate, startDatabaseClock } from '@handover/adapters-postgres';
import type { Holder, StopLimits } from '@handover/embedded-postgres';
import {
  claimDirectory,
  findEmbeddedPostgres,
  isPostmasterThere,
  startEmbeddedPostgres,
  stopEmbeddedPostgres,
} from '@handover/embedded-postgres';
import type { Logger } from 'pino';
import { readGeneratedSecret } from '../keyring/generated-secret.ts';
import { deriveTrialSecret } from '../keyring/trial-secret.ts';
import { describeServer, readFacts, type ServerFacts } from '../serve/server-facts.ts';
import type { Settings } from '../settings/settings.ts';
import { closeDataDir } from './close-data-dir.ts';
import type { Infrastructure } from './composition.ts';
import { introducePlatforms, loadPlatforms } from './load-platforms.ts';
import { retryUntilAvailable } from './retry-until-available.ts';

/** Opened settings: a migrated database that answers, and the secrets. */
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

/** Receives a function that ends this process's embedded database within the limits, whatever the database does. */
export type OnDatabase = (end: (limits: StopLimits) => Promise<void>) => void;

/** Another program uses this DATA_DIR. */
export class DataDirHeldError extends Error {
  readonly code = 'data-dir-held';
}

const NEVER = new Promise<never>(() => {});
const WATCH_EVERY_MS = 2000;
const COMMAND_TIMEOUT_MS = 20_000;

/**
 * Opens the infrastructure of a server, which has exclusive use of DATA_DIR; or of a command, which may run beside a
 * server. Then the site's URL is that of the server: it alone knows its port with PORT=0. It also tells where its
 * mails go.
 */
export async function openInfrastructure(
  settings: Settings,
  log: Logger,
  holder: Holder,
  onDatabase: OnDatabase = () => undefined,
  signal?: AbortSignal,
): Promise<OpenedInfrastructure> {
  const platforms = await loadPlatforms(settings.platforms);
  introducePlatforms(platforms);
  if (holder.kind === 'server') closeDataDir(settings, log);
  if (settings.databaseUrl !== null) {
    const { databaseUrl } = settings;
    // Two servers may migrate at once.
    const clock = await retryUntilAvailable(
      log,
      async () => {
        await migrate(databaseUrl);
        return startDatabaseClock(databaseUrl);
      },
      signal,
    );
    const secrets = settings.secrets ?? [];
    return {
      settings,
      databaseUrl,
      secrets,
      clock,
      log,
      platforms,
      server: describeServer(settings),
      databaseIsLost: NEVER,
      close: async () => clock.stop(),
    };
  }
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const { databaseUrl, siteUrl, server, databaseIsLost, close } = await openEmbeddedDatabase(
    settings,
    log,
    holder,
    onDatabase,
  );
  try {
    await migrate(databaseUrl);
    const secrets = settings.secrets ?? [await readGeneratedSecret(settings.dataDir)];
    const clock = await startDatabaseClock(databaseUrl);
    const paymentsASecrets =
      server.paymentsA === 'trial' ? [deriveTrialSecret(secrets)] : settings.paymentsASecrets;
    return {
      settings: { ...settings, siteUrl, paymentsASecrets },
      databaseUrl,
      secrets,
      clock,
      log,
      platforms,
      server,
      databaseIsLost,
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

async function openEmbeddedDatabase(settings: Settings, log: Logger, holder: Holder, onDatabase: OnDatabase) {
  const { dataDir, siteUrl } = settings;
  const directory = join(dataDir, 'postgres');
  const deadline = performance.now() + COMMAND_TIMEOUT_MS;
  for (;;) {
    const claim = await claimDirectory(dataDir, holder);
    if (claim.kind === 'claimed') {
      onDatabase((limits) => stopEmbeddedPostgres(directory, limits));
      try {
        const postgres = await startEmbeddedPostgres({ directory, log: (line) => log.info(line) });
        onDatabase(postgres.stop);
        const watch = watchPostgres(directory);
        const close = () => {
          watch.end();
          return postgres.stop().finally(claim.release);
        };
        const server = describeServer(settings);
        return { databaseUrl: postgres.url, siteUrl, server, databaseIsLost: watch.isLost, close };
      } catch (error) {
        await claim.release();
        throw error;
      }
    }
    // A command runs beside a server, on the server's database. It waits for the end of any other holder.
    if (claim.by.kind === 'server') {
      if (holder.kind === 'server') throw new DataDirHeldError(describeHolder(dataDir, claim.by));
      const url = await findEmbeddedPostgres(directory);
      if (url !== null) {
        return {
          databaseUrl: url,
          siteUrl: claim.by.url ?? siteUrl,
          server: readFacts(claim.by.facts) ?? describeServer(settings),
          databaseIsLost: NEVER,
          close: async () => {},
        };
      }
    }
    if (performance.now() > deadline) throw new DataDirHeldError(describeHolder(dataDir, claim.by));
    await pause(100);
  }
}

/** Only a start of this program starts an embedded database, so its end must be noticed. */
function watchPostgres(directory: string): { readonly isLost: Promise<void>; end(): void } {
  let timer: NodeJS.Timeout | undefined;
  const isLost = new Promise<void>((resolve) => {
    let misses = 0;
    timer = setInterval(async () => {
      misses = (await isPostmasterThere(directory)) ? 0 : misses + 1;
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
