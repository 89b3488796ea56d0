import { execFile } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';
import { type Outcome, pathOf, type RunAs, runAs } from './programs.ts';

export type RunnableAs = { runAs: RunAs; version: string };

/**
 * PostgreSQL refuses to run as root, so root runs it as another user who owns the directory. Parent directories of
 * it, or of the programs, may be closed to that user (a clone under /root or in a `mktemp -d`): then the process
 * keeps the capability to pass through, and nothing else if the system allows it.
 */
export async function chooseRunAs(binaries: string, directory: string): Promise<RunnableAs> {
  if (process.geteuid?.() !== 0) return chooseOrdinaryUser(binaries, directory);
  const user = (await findOwner(directory)) ?? (await findUser('postgres')) ?? (await findUser('nobody'));
  if (user === null) throw refusesRoot(directory, 'there is neither a user postgres nor a user nobody');
  await giveDirectory(directory, user);

  const tried: string[] = [];
  const itself: RunAs = { ...user, through: [] };
  for (const choose of [
    () => itself,
    () => keepCapability(user, 'dac_read_search'),
    // Containers often have this program and not the other one.
    () => keepCapability(user, 'dac_override'),
    // Without setpriv: through DATA_DIR, which stays closed to all other users, like its content.
    () => letPass(dirname(directory), user).then(() => itself),
  ]) {
    const candidate = await choose();
    const outcome = await tryToRun(candidate, binaries, directory);
    const version = parseVersion(outcome);
    if (version !== null) return { runAs: candidate, version };
    tried.push(outcome.output || `exit code ${outcome.code}`);
  }
  throw refusesRoot(directory, `as uid ${user.uid} its programs do not run:\n${tried.join('\n')}`);
}

type User = { uid: number; gid: number };

async function chooseOrdinaryUser(binaries: string, directory: string): Promise<RunnableAs> {
  const owner = await stat(join(directory, 'data')).catch(() => stat(directory));
  const me = process.geteuid?.();
  if (me !== undefined && owner.uid !== me) {
    throw new EmbeddedPostgresError(
      'DATABASE_OF_ANOTHER_USER',
      `The database in ${directory} belongs to the user with uid ${owner.uid}, and this program runs as uid ${me}. ` +
        `Run it as that user, or give yourself the directory: sudo chown -R ${me} ${directory}`,
    );
  }
  const itself: RunAs = { through: [] };
  const outcome = await runAs(itself, pathOf(binaries, 'postgres'), ['--version']);
  const version = parseVersion(outcome);
  if (version !== null) return { runAs: itself, version };
  throw new EmbeddedPostgresError(
    'DATABASE_PROGRAMS_DO_NOT_RUN',
    `PostgreSQL's programs in ${binaries} do not run here (they need a system with glibc; Alpine has none): ` +
      `${outcome.output || `exit code ${outcome.code}`}\n` +
      'Install the packages again, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

function keepCapability({ uid, gid }: User, capability: string): RunAs {
  const kept = `+${capability}`;
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { through: ['setpriv', ...ids, `--inh-caps=${kept}`, `--ambient-caps=${kept}`, '--'] };
}

/** The user's group may pass through the directory, but not list or change it. */
async function letPass(directory: string, { gid }: User): Promise<void> {
  await chown(directory, 0, gid);
  await chmod(directory, 0o710);
}

function tryToRun(as: RunAs, binaries: string, directory: string): Promise<Outcome> {
  return runAs(as, '/bin/sh', [
    '-c',
    'cd "$1" && exec "$2" --version',
    'sh',
    directory,
    pathOf(binaries, 'postgres'),
  ]);
}

function parseVersion({ code, output }: Outcome): string | null {
  return code === 0 ? (/\(PostgreSQL\) (\d+)/.exec(output)?.[1] ?? null) : null;
}

/** The owner of an existing database, unless it is root (for example after root copied it). */
async function findOwner(directory: string): Promise<User | null> {
  const data = await stat(join(directory, 'data')).catch(() => null);
  return data === null || data.uid === 0 ? null : { uid: data.uid, gid: data.gid };
}

async function findUser(name: string): Promise<User | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map((which) => promisify(execFile)('id', [which, name])),
    );
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
  } catch {
    return null;
  }
}

async function giveDirectory(directory: string, user: User): Promise<void> {
  const paths = [
    directory,
    join(directory, 'data'),
    join(directory, 'password'),
    join(directory, 'postgres.log'),
  ];
  const owners = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  if (owners.every((owner) => owner === null || owner.uid === user.uid)) return;
  try {
    await chown(directory, user.uid, user.gid);
    await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, directory]);
  } catch (error) {
    throw refusesRoot(directory, `the directory cannot be given to uid ${user.uid}: ${String(error)}`);
  }
}

function refusesRoot(directory: string, why: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'DATABASE_REFUSES_ROOT',
    `PostgreSQL does not run as root, and could not be run as another user: ${why}\n` +
      'Do one of these: run Handover as an ordinary user; or put it and its data (DATA_DIR, now ' +
      `${directory} is in it) where every user may pass, such as /srv or /var/lib; ` +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}
