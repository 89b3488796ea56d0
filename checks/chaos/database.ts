import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCluster } from '../../packages/embedded-postgres/src/cluster.ts';
import { isPostmasterThere, startEmbeddedPostgres } from '../../packages/embedded-postgres/src/index.ts';
import { runProgram } from '../../packages/embedded-postgres/src/programs.ts';
import { startPostmaster } from '../../packages/embedded-postgres/src/start-postmaster.ts';

/** Our own PostgreSQL, on its own disk where the system allows to create one. */
export interface ChaosDatabase {
  /** Bypasses the proxy, for the harness itself. */
  readonly url: string;
  /** Its small disk; null: there is none, and it cannot be filled. */
  readonly disk: string | null;
  stopAtOnce(): Promise<void>;
  /** Also if it ended by itself. */
  start(): Promise<void>;
  fillDisk(): Promise<void>;
  freeDisk(): Promise<void>;
  /** Ends it and unmounts its disk. */
  close(): Promise<void>;
}

const SETTINGS = {
  // Processes crash here, machines do not.
  fsync: 'off',
  max_connections: '120',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
};
const DISK_MEGABYTES = 768;
const CHUNK = Buffer.alloc(1024 * 1024);

export async function startDatabase(directory: string, mayMount: boolean): Promise<ChaosDatabase> {
  const place = join(directory, 'postgres-disk');
  await mkdir(place, { mode: 0o755 });
  const disk = mayMount ? await mountSmallDisk(place) : null;
  const home = join(place, 'postgres');
  const ballast = join(place, 'ballast');
  const unmount = () => (disk === null ? undefined : promisify(execFile)('umount', [place]));
  try {
    const { url, stop } = await startEmbeddedPostgres({ directory: home, settings: SETTINGS });
    const port = Number(new URL(url).port);
    const cluster = await openCluster(home);
    const stopNow = async (): Promise<void> => {
      await runProgram(cluster.programs, 'pg_ctl', ['stop', `--pgdata=${cluster.data}`, '-m', 'immediate']);
    };
    return {
      url,
      disk,
      stopAtOnce: stopNow,
      start: async () => {
        if (await isPostmasterThere(home)) return;
        await startPostmaster(cluster, SETTINGS, async () => port);
      },
      fillDisk: () => fill(ballast),
      freeDisk: () => rm(ballast, { force: true }),
      close: async () => {
        await stop().catch(() => undefined);
        await stopNow();
        await unmount();
      },
    };
  } catch (error) {
    await unmount();
    throw error;
  }
}

/** Root may mount a file system in memory. Null: other users may not. */
async function mountSmallDisk(place: string): Promise<string | null> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return null;
  try {
    const options = `size=${DISK_MEGABYTES}m,mode=755`;
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
    return `a tmpfs of ${DISK_MEGABYTES} MB`;
  } catch {
    return null;
  }
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    // Up to the last page: PostgreSQL allocates them one by one.
    for (const piece of [CHUNK, CHUNK.subarray(0, 4096)]) await writeUntilFull(handle, piece);
  } finally {
    await handle.close();
  }
}

async function writeUntilFull(handle: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await handle.writeFile(piece);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
