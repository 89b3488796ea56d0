import { setTimeout as sleep } from 'node:timers/promises';
import { claimDirectory } from './claim-directory.ts';
import { type Cluster, completeUpgrade, openCluster, pathsOf, prepareCluster } from './cluster.ts';
import { ask, findPostmaster, superuserUrlAt } from './find-embedded-postgres.ts';
import type { Settings } from './start-postmaster.ts';
import { prepareServer, type Server, startServer } from './start-server.ts';
import { identifyPostmaster, type StopLimits, stopPostmaster } from './stop-postmaster.ts';

/** Where the database is, and how it runs. */
export type EmbeddedPostgresOptions = {
  /** Contains all files of the database: data, password, log. Created if missing. */
  directory: string;
  log?: (message: string) => void;
  /** PostgreSQL settings in addition to our own, for a server that this call starts. Plain words only. */
  settings?: Settings;
};

/** A PostgreSQL that runs on this machine, on a port of its own. A caller that adopted it stops it in the same way. */
export type EmbeddedPostgres = Server & {
  /** Whether it was already running, left by a killed program or started by another one. */
  adopted: boolean;
};

/**
 * The running database of this directory: created on the first start, adopted if it is running already. It does not
 * end with this process, only by `stop`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined, settings = {} } = options;
  const cluster = await openCluster(options.directory);
  const release = await claimStart(cluster);
  try {
    await completeUpgrade(cluster.directory);
    const state = await prepareCluster(cluster, { durable: settings.fsync !== 'off' });
    if (state === 'made') log(`Made a PostgreSQL ${cluster.version} database in ${cluster.directory}`);
    const adopted = state === 'made' ? null : await adoptPostmaster(cluster, log);
    return adopted === null
      ? { ...(await startServer(cluster, log, settings)), adopted: false }
      : { ...(await prepareServer(cluster, adopted, log)), adopted: true };
  } finally {
    await release();
  }
}

/** Stops the server of this directory, for a program that claimed it and must end before its start completed. */
export async function stopEmbeddedPostgres(directory: string, limits: StopLimits): Promise<void> {
  await stopPostmaster(await identifyPostmaster(pathsOf(directory).data), limits);
}

/** One start at a time per directory: the others wait, and then adopt the server. */
async function claimStart(cluster: Cluster): Promise<() => Promise<void>> {
  for (;;) {
    const claim = await claimDirectory(cluster.directory, {
      kind: 'command',
      what: 'starting PostgreSQL',
    });
    if (claim.kind === 'claimed') return claim.release;
    await sleep(50);
  }
}

const SILENCE_TIMEOUT_MS = 10_000;

/** The port of a postmaster that is running here already, or null if there is none (any more). */
async function adoptPostmaster(cluster: Cluster, log: (message: string) => void): Promise<number | null> {
  for (let silentSince = performance.now(); ; ) {
    const postmaster = await findPostmaster(cluster.data);
    if (postmaster === null) return null;
    const url = await superuserUrlAt(cluster, postmaster.port);
    const answer = postmaster.port === 0 ? 'silent' : await ask(url, cluster);
    if (answer === 'ready') {
      log(`Found PostgreSQL already running in ${cluster.directory} (pid ${postmaster.pid})`);
      return postmaster.port;
    }
    if (answer === 'not-yet') silentSince = performance.now();
    if (performance.now() - silentSince > SILENCE_TIMEOUT_MS) {
      log(`PostgreSQL in ${cluster.directory} (pid ${postmaster.pid}) does not answer; stopping it`);
      await stopPostmaster(await identifyPostmaster(cluster.data), { fastMs: 15_000, immediateMs: 15_000 });
      return null;
    }
    await sleep(50);
  }
}
