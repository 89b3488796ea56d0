import { readdir, readFile } from 'node:fs/promises';

/** What the kernel says of a process, from its state on: the name before it, in brackets, may contain spaces. */
export async function readStat(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Of all processes. Only Linux provides this. */
export async function readStats(): Promise<{ pid: number; parent: number; stat: readonly string[] }[]> {
  const names = await readdir('/proc');
  return Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readStat(Number(name));
        return { pid: Number(name), parent: Number(stat[1]), stat };
      }),
  );
}
