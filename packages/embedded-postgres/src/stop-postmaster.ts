import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { findPostmaster, identifyProcess, isSameProcess } from './find-embedded-postgres.ts';
import { locateBinaries, pathOf, runAs } from './programs.ts';

/** A postmaster, distinguished from a later process with its pid. */
export type IdentifiedPostmaster = { readonly pid: number; readonly identity: string | null };

/** The time limit of each way to stop. */
export type StopLimits = { readonly fastMs: number; readonly immediateMs: number };

const LIMITS: StopLimits = { fastMs: 60_000, immediateMs: 10_000 };
const KILLED_WITHIN_MS = 5_000;

/** The postmaster of this data directory, read while the directory still exists. */
export async function identifyPostmaster(data: string): Promise<IdentifiedPostmaster | null> {
  const found = await findPostmaster(data);
  return found && { pid: found.pid, identity: await identifyProcess(found.pid) };
}

/**
 * Stops it: fast (clients are disconnected), else immediately, else by a kill. All three keep every commit; after the
 * last two, the next start recovers. Reads no file, because the directory may be deleted by now.
 */
export async function stopPostmaster(
  postmaster: IdentifiedPostmaster | null,
  { fastMs, immediateMs }: StopLimits = LIMITS,
): Promise<void> {
  if (postmaster === null) return;
  const ways = [
    ['INT', fastMs],
    ['QUIT', immediateMs],
    ['KILL', KILLED_WITHIN_MS],
  ] as const;
  for (const [signal, limitMs] of ways) {
    if (!(await isThere(postmaster))) return;
    await send(postmaster.pid, signal);
    if (await endsWithin(postmaster, limitMs)) return;
  }
  throw new EmbeddedPostgresError(
    'DATABASE_DID_NOT_STOP',
    `PostgreSQL (process ${postmaster.pid}) cannot be stopped. Restart the machine.`,
  );
}

async function send(pid: number, signal: 'INT' | 'QUIT' | 'KILL'): Promise<void> {
  if (process.platform === 'win32') {
    await runAs({ through: [] }, pathOf(locateBinaries(), 'pg_ctl'), ['kill', signal, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${signal}`);
  } catch {
    // It ended just now.
  }
}

async function endsWithin(postmaster: IdentifiedPostmaster, limitMs: number): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; await sleep(20)) {
    if (!(await isThere(postmaster))) return true;
  }
  return false;
}

/** A look that fails, such as for want of file handles, does not say that it has ended. */
function isThere({ pid, identity }: IdentifiedPostmaster): Promise<boolean> {
  return isSameProcess(pid, identity).catch(() => true);
}
