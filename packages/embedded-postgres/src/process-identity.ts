import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Distinguishes a process from a later one with the same pid, by its start time. Null if there is no such process, or
 * if the system does not provide it.
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
  } catch {
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
