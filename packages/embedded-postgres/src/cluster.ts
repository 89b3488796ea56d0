import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { chooseRunAs } from './choose-run-as.ts';
import { EmbeddedPostgresError, hasCode, whenMissing } from './errors.ts';
import { locateBinaries, type Programs, runProgram } from './programs.ts';

/**
 * Created by initdb. Only a start connects as this role: to identify the server that answers, and to prepare the
 * owner.
 */
export const SUPERUSER = 'handover';
/** Owns the database and everything in it, without any other right: Handover connects as this role. */
export const OWNER = 'handover_owner';

/** The files of one embedded database: `data`, its passwords and its log; and the programs that run it. */
export type Cluster = ClusterPaths & { programs: Programs; version: string };

export type ClusterPaths = {
  directory: string;
  data: string;
  /** The superuser's. */
  password: string;
  ownerPassword: string;
  log: string;
};

export function pathsOf(directory: string): ClusterPaths {
  const absolute = resolve(directory);
  return {
    directory: absolute,
    data: join(absolute, 'data'),
    password: join(absolute, 'password'),
    ownerPassword: join(absolute, 'owner-password'),
    log: join(absolute, 'postgres.log'),
  };
}

export async function openCluster(directory: string): Promise<Cluster> {
  const paths = pathsOf(directory);
  const binaries = locateBinaries();
  await mkdir(paths.directory, { recursive: true, mode: 0o700 });
  await linkLibraries(binaries);
  const { runAs, version } = await chooseRunAs(binaries, paths.directory);
  return { ...paths, version, programs: { binaries, runAs } };
}

/** Creates the database if there is none, and checks that this PostgreSQL version can open it. */
export async function prepareCluster(
  cluster: Cluster,
  options: { durable: boolean },
): Promise<'made' | 'found'> {
  await removeUnfinishedData(cluster.directory);
  const made = await readMajorVersion(cluster.data);
  if (made === null) {
    await refuseUnknownData(cluster.data);
    await makeCluster(cluster, options);
    return 'made';
  }
  if (made !== cluster.version) {
    throw new EmbeddedPostgresError(
      'DATABASE_VERSION_MISMATCH',
      `The database in ${cluster.data} was made by PostgreSQL ${made}, and this Handover brings PostgreSQL ` +
        `${cluster.version}, which cannot open it. Run: handover database upgrade. It keeps what is there. Or go back to the Handover that ` +
        `made it; or keep it with a PostgreSQL ${made} server of your own and set DATABASE_URL.`,
    );
  }
  return 'found';
}

export async function readPassword(path: string, { data }: ClusterPaths): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw cause;
    throw new EmbeddedPostgresError(
      'DATABASE_PASSWORD_MISSING',
      `${path} is missing, and the database in ${data} cannot be opened without it. Restore the file from a backup. ` +
        '(A server that was started by a former Handover has not made owner-password yet: restart it.)',
      { cause },
    );
  }
}

/** The data is created under another name first: however initdb is interrupted, `data` is complete or absent. */
async function makeCluster(cluster: Cluster, options: { durable: boolean }): Promise<void> {
  await keepPassword(cluster.password, cluster);
  // The name is new each time, because an initdb whose parent was killed may still write to its own.
  const unfinished = `${cluster.data}.new-${randomBytes(6).toString('hex')}`;
  const { code, output } = await runProgram(cluster.programs, 'initdb', [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${cluster.password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true });
    throw new EmbeddedPostgresError(
      'DATABASE_INIT_FAILED',
      `The database in ${cluster.directory} could not be made. Fix what initdb reports, then start again:\n${output}`,
    );
  }
  await rename(unfinished, cluster.data);
  await syncDirectory(cluster.directory);
}

/** Random, and written once: an interrupted first start leaves a password that the next start uses. */
export async function keepPassword(path: string, { directory }: ClusterPaths): Promise<void> {
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
  const { uid, gid } = await stat(directory);
  if (process.geteuid?.() === 0) await chown(draft, uid, gid);
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function readMajorVersion(data: string): Promise<string | null> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(whenMissing(null));
  return version?.trim() ?? null;
}

async function refuseUnknownData(data: string): Promise<void> {
  const found = await readdir(data).catch(whenMissing([]));
  if (found.length === 0) return;
  throw new EmbeddedPostgresError(
    'DATABASE_DIRECTORY_UNKNOWN',
    `${data} is not empty, and is not a PostgreSQL database (it has no PG_VERSION). Move it aside, or choose another ` +
      'DATA_DIR.',
  );
}

async function removeUnfinishedData(directory: string): Promise<void> {
  const unfinished = (await readdir(directory)).filter((name) =>
    /^(data|password|owner-password)\.new-/.test(name),
  );
  for (const name of unfinished) {
    // It may fail while an orphaned initdb still writes there; a later start deletes the rest.
    await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

/** After a crash between the two renames, the next start does the second one. */
export async function completeUpgrade(directory: string): Promise<void> {
  const { root, made, complete } = upgradePaths(directory);
  const { data } = pathsOf(directory);
  if (existsSync(data) || !existsSync(complete)) return;
  await rename(join(made, 'data'), data);
  await rm(root, { recursive: true, force: true });
}

/** `complete` is there once the new data is. */
export function upgradePaths(directory: string) {
  const root = join(pathsOf(directory).directory, 'upgrade');
  return { root, made: join(root, 'new'), complete: join(root, 'complete') };
}

/**
 * Makes the links among PostgreSQL's libraries that are missing. npm packs no links, so the package of the programs
 * makes them in an install script, and pnpm runs no such script unasked: https://pnpm.io/cli/approve-builds
 */
export async function linkLibraries(binaries: string): Promise<void> {
  const folder = join(binaries, '..', '..');
  const links = await readLinks(join(folder, 'native', 'pg-symlinks.json'));
  await Promise.all(links.map((link) => makeLink(folder, link)));
}

/** Both are paths relative to the package's folder: `target` is the link, and `source` is where it points. */
type Link = { source: string; target: string };

/** There are none on Windows, nor for programs from another source. */
async function readLinks(file: string): Promise<Link[]> {
  return JSON.parse(await readFile(file, 'utf8').catch(whenMissing('[]')));
}

async function makeLink(folder: string, { source, target }: Link): Promise<void> {
  const place = join(folder, target);
  if (existsSync(place)) return;
  try {
    await symlink(join(relative(dirname(target), dirname(source)), basename(source)), place);
  } catch (cause) {
    // Another start makes the same links.
    if (hasCode(cause, 'EEXIST')) return;
    throw new EmbeddedPostgresError(
      'DATABASE_PROGRAMS_DO_NOT_RUN',
      `The install script of PostgreSQL’s package did not run, and its work could not be done now: ${place} could not ` +
        `be linked. ${String(cause)}\nRun: pnpm approve-builds (with npm: npm rebuild). Or set DATABASE_URL to a ` +
        'PostgreSQL server of your own.',
      { cause },
    );
  }
}
