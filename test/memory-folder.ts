import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { availableMemory } from 'node:process';
import { isRunning } from './is-running.ts';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const PREFIX = 'handover-test-memory-';
/** More than the files of six workers need at once. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Gives this process and its children a temporary folder in memory, if there is room for it: making, copying and deleting
 * databases takes a fifth of the processor time that it takes on a disk. It is removed when this process ends. A run that a
 * test starts uses the folder of the outer run.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.platform !== 'linux' || process.env.TMPDIR || !isRoomInMemory()) return;
  removeAbandoned(MEMORY);
  const folder = makeFolderIn(MEMORY);
  if (folder !== null) process.env.TMPDIR = folder;
}

/** Removed when this process ends. Null where tests cannot use one: containers mount it read-only, or let nothing run there. */
export function makeFolderIn(memory: string): string | null {
  try {
    const folder = mkdtempSync(join(memory, `${PREFIX}${process.pid}-`));
    process.once('exit', () => removeFolder(folder));
    // For root, PostgreSQL runs as another user, who must pass through it.
    chmodSync(folder, 0o755);
    return canRunPrograms(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** Of killed runs. A PostgreSQL that still runs in one ends within a minute, because it misses its lock file. */
export function removeAbandoned(memory: string, remove = removeFolder): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(PREFIX) || isRunning(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    try {
      remove(join(memory, name));
    } catch {
      // It is another user's, or a PostgreSQL still writes there: a later run removes it.
    }
  }
}

function isRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, availableMemory()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Tests run programs that they wrote. */
function canRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
