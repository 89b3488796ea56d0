import { readFile } from 'node:fs/promises';
import { readStats } from './read-stat.ts';

/**
 * The memory of a process and all its children, in megabytes (of 1,000,000 bytes). Shared memory is counted once:
 * PostgreSQL's buffers by shares, and the program's own file as often as the process that maps most of it.
 */
export async function readTreeMemory(root: number): Promise<number> {
  const parents = new Map((await readStats()).map(({ pid, parent }) => [pid, parent]));
  let kibibytes = 0;
  let mostOfFile = 0;
  for (const pid of parents.keys()) {
    if (!isWithin(pid, root, parents)) continue;
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    kibibytes += read(rollup, 'Pss_Anon') + read(rollup, 'Pss_Shmem');
    mostOfFile = Math.max(mostOfFile, read(status, 'RssFile'));
  }
  return Math.round(((kibibytes + mostOfFile) * 1024) / 1_000_000);
}

function read(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

function isWithin(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === root) return true;
  return false;
}
