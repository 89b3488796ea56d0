import { readFile } from 'node:fs/promises';

/** In megabytes (of 1,000,000 bytes), as the kernel counts them: now, or at the peak since the start. */
export async function readMemory(pid: number | undefined, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]);
  return Math.round((kibibytes * 1024) / 1_000_000);
}
