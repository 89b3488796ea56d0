import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { availableMemory } from 'node:process';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'handover-test-memory-';
/** More than the files of four workers need at once. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Gives this process and its children a temporary folder in memory, if there is room for it: making, copying and deleting
 * databases takes a fifth of the processor time that it takes on a disk. It is removed when this process ends. A run that a
 * test starts uses the folder of the outer run.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.platform !== 'linux' || process.env.TMPDIR || !isRoomInMemory()) return;
  removeAbandoned();
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  // For root, PostgreSQL runs as another user, who must pass through it.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (canRunPrograms(folder)) process.env.TMPDIR = folder;
  process.once('exit', remove);
}

function isRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, availableMemory()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Containers often forbid it, and tests run programs that they wrote. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** Of killed runs. A PostgreSQL that still runs in one ends within a minute, because it misses its lock file. */
function removeAbandoned(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
