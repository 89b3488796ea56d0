import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completeUpgrade, openCluster, pathsOf, readMajorVersion, upgradePaths } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { pathOf } from './programs.ts';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from './start-embedded-postgres.ts';
import { startServer } from './start-server.ts';
import { identifyPostmaster, type StopLimits, stopPostmaster } from './stop-postmaster.ts';

export interface DataVersions {
  /** The major version that made the data; null: there is none. */
  readonly data: string | null;
  /** That of the programs that come with the install. */
  readonly programs: string;
}

/** The major versions of the data and of the programs here. Completes an upgrade that was killed. */
export async function readDataVersions(directory: string): Promise<DataVersions> {
  const { version, data } = await openCluster(directory);
  // Completes an upgrade that was killed between its two renames.
  await completeUpgrade(directory);
  return { data: await readMajorVersion(data), programs: version };
}

/** Where systems put the programs of that version. */
export function findFormerPrograms(version: string): string | null {
  const places = [
    `/usr/lib/postgresql/${version}/bin`,
    `/usr/pgsql-${version}/bin`,
    `/opt/homebrew/opt/postgresql@${version}/bin`,
    `/usr/local/opt/postgresql@${version}/bin`,
    `C:\\Program Files\\PostgreSQL\\${version}\\bin`,
  ];
  return places.find((place) => existsSync(pathOf(place, 'pg_ctl'))) ?? null;
}

/** Their data is safe: it is in the former data, or on disk. */
const STOP_LIMITS: StopLimits = { fastMs: 60_000, immediateMs: 10_000 };

export interface DataUpgrade {
  readonly directory: string;
  /** The version that made the data, and its programs. */
  readonly former: { readonly version: string; readonly binaries: string };
  readonly log: (message: string) => void;
  /** Copies everything, and rejects if anything is missing. `scratch` is a folder for what it needs meanwhile. */
  readonly transfer: (fromUrl: string, toUrl: string, scratch: string) => Promise<void>;
}

/**
 * Moves the data to the installed major version: a server of the former version and a server of a new database run at once, the
 * data is copied, and then the directories are exchanged. The former data is kept as `data-<version>`, whose path is returned.
 * Nothing was changed if this rejects. The caller must have claimed the directory.
 */
export async function upgradeData({ directory, former, log, transfer }: DataUpgrade): Promise<string> {
  const paths = pathsOf(directory);
  const kept = `${paths.data}-${former.version}`;
  if (existsSync(kept)) {
    throw new EmbeddedPostgresError(
      'DATABASE_DIRECTORY_UNKNOWN',
      `${kept} is there already. Move it aside first.`,
    );
  }
  const { root, made, complete } = upgradePaths(directory);
  // The server of an upgrade that was killed still runs.
  await abandonUpgrade(directory, STOP_LIMITS);
  await rm(root, { recursive: true, force: true });
  await mkdir(made, { recursive: true, mode: 0o700 });
  try {
    const cluster = await openCluster(directory);
    await stopPostmaster(await identifyPostmaster(cluster.data));
    const programs = { ...cluster.programs, binaries: former.binaries };
    const from = await startServer({ ...cluster, programs }, log);
    try {
      // The superuser's password is in the data, and its file stays where it is.
      await copyFile(paths.password, join(made, 'password'));
      const to = await startEmbeddedPostgres({ directory: made, log });
      await transfer(from.url, to.url, root).finally(() => to.stop());
    } finally {
      await from.stop();
    }
    await writeFile(complete, '', { flush: true });
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
  await rename(paths.data, kept);
  await completeUpgrade(directory);
  return kept;
}

/**
 * Ends a running upgrade of this process: stops both servers, and removes the new data unless it is complete. If it is complete,
 * the exchange has begun, and the next start finishes it.
 */
export async function abandonUpgrade(directory: string, limits: StopLimits): Promise<void> {
  const { root, made, complete } = upgradePaths(directory);
  const servers = [made, directory].map((of) => stopEmbeddedPostgres(of, limits));
  await Promise.allSettled(servers);
  if (!existsSync(complete)) await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
