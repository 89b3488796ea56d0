import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type ClusterPaths, OWNER, pathsOf, readPassword, SUPERUSER } from './cluster.ts';
import { EmbeddedPostgresError, hasCode, whenMissing } from './errors.ts';

/** The URL of the database in this directory, if it is running and answers now. */
export async function findEmbeddedPostgres(directory: string): Promise<string | null> {
  const paths = pathsOf(directory);
  const postmaster = await findPostmaster(paths.data);
  if (postmaster === null || postmaster.port === 0) return null;
  if ((await ask(await superuserUrlAt(paths, postmaster.port), paths)) !== 'ready') return null;
  return ownerUrlAt(paths, postmaster.port);
}

/** Whether a postmaster runs in this directory, busy or not. Opens no connection. */
export async function isPostmasterThere(directory: string): Promise<boolean> {
  return (await findPostmaster(pathsOf(directory).data)) !== null;
}

/** The URL that Handover connects with: that of the owner's role. */
export async function ownerUrlAt(paths: ClusterPaths, port: number): Promise<string> {
  return urlAt(port, OWNER, await readPassword(paths.ownerPassword, paths));
}

export async function superuserUrlAt(paths: ClusterPaths, port: number): Promise<string> {
  return urlAt(port, SUPERUSER, await readPassword(paths.password, paths));
}

function urlAt(port: number, role: string, password: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/postgres`;
}

/** Connects as superuser, which alone may read the data directory, and checks that it is this one. */
export async function ask(url: string, paths: ClusterPaths): Promise<'ready' | 'not-yet' | 'silent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const served = rows[0]?.data_directory;
    return served !== undefined && (await realpath(served)) === (await realpath(paths.data))
      ? 'ready'
      : 'silent';
  } catch (error) {
    // The server is starting up, shutting down or recovering.
    if (hasCode(error, '57P03')) return 'not-yet';
    if (hasCode(error, '28P01')) {
      throw new EmbeddedPostgresError(
        'DATABASE_PASSWORD_REFUSED',
        `The database in ${paths.data} refuses the password in ${paths.password}. Restore that file from a backup.`,
        { cause: error },
      );
    }
    return 'silent';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The content of postmaster.pid. Its port is 0 until the postmaster has set it. */
export type Postmaster = { pid: number; port: number; sharedMemoryId: string | null };

/** The postmaster that runs in this data directory now, if any. */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const written = await readPostmasterFile(data);
  return written !== null && (await check(written.pid, data)) === 'ours' ? written : null;
}

/**
 * Deletes a stale postmaster.pid. PostgreSQL trusts the file if its pid is in use again, which is common after a
 * reboot and in containers. Call this only while no other process can start a postmaster.
 */
export async function removeStalePostmasterFile(data: string): Promise<void> {
  const written = await readPostmasterFile(data);
  if (written === null || (await check(written.pid, data)) !== 'someone-else') return;
  // The check that PostgreSQL itself would make: no child of that postmaster is still running.
  for (let waited = 0; await isSharedMemoryInUse(written.sharedMemoryId); waited += 100) {
    if (waited > 10_000) {
      throw new EmbeddedPostgresError(
        'DATABASE_BUSY',
        `Processes of a PostgreSQL that died still use ${data}. End them, then start again.`,
      );
    }
    await sleep(100);
  }
  await rm(join(data, 'postmaster.pid'), { force: true });
}

async function readPostmasterFile(data: string): Promise<Postmaster | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(whenMissing(''));
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3]) || 0, sharedMemoryId: lines[6]?.trim().split(/\s+/)[1] ?? null };
}

async function check(pid: number, data: string): Promise<'ours' | 'gone' | 'someone-else'> {
  if (!(await isSameProcess(pid, null))) return 'gone';
  if (process.platform === 'win32') return 'ours';
  // In use, yet without an identity: an unreaped zombie.
  if ((await identifyProcess(pid)) === null) return 'someone-else';
  if (process.platform !== 'linux') {
    return (await readCommandLine(pid)).includes(data) ? 'ours' : 'someone-else';
  }
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(data)) ? 'ours' : 'someone-else';
  } catch (error) {
    // Another user's process, which PostgreSQL itself treats as a stale file; or it ended just now.
    if (hasCode(error, 'EACCES', 'EPERM', 'ENOENT')) return 'gone';
    throw error;
  }
}

async function readCommandLine(pid: number): Promise<string> {
  try {
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
}

async function isSharedMemoryInUse(id: string | null): Promise<boolean> {
  if (id === null || process.platform !== 'linux') return false;
  const segments = await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '');
  const columns = segments.split('\n').map((line) => line.trim().split(/\s+/));
  return columns.some((column) => column[1] === id && column[6] !== '0');
}

/**
 * Distinguishes a process from a later one with the same pid, by its start time. Null if there is no such process, or
 * if the system does not provide it. Rejects if this process cannot look now.
 */
export async function identifyProcess(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return identifyByProc(pid);
  if (process.platform === 'win32') return null;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    });
    const [state = '', ...started] = stdout.trim().split(/\s+/);
    return state.startsWith('Z') || started.length === 0 ? null : started.join(' ');
  } catch {
    return null;
  }
}

/** Whether the process with this pid and identity still runs. Without an identity: whether the pid is in use. */
export async function isSameProcess(pid: number, identity: string | null): Promise<boolean> {
  if (!isPidInUse(pid)) return false;
  return identity === null || (await identifyProcess(pid)) === identity;
}

async function identifyByProc(pid: number): Promise<string | null> {
  try {
    const [stat, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The command's name, in parentheses, may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === 'Z' || started === undefined ? null : `${bootId.trim()} ${started}`;
  } catch (error) {
    // For want of these, nothing can be said of the process.
    if (hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw error;
    return null;
  }
}

function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
