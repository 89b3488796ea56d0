import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface StartCommand {
  /** What Node is given. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How `npm start` runs the server, limits included: without them V8 lets garbage grow with the machine's memory. */
export async function readStartCommand(): Promise<StartCommand> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: readonly string[] = scripts.serve.split(' ');
  const at = words.indexOf('node');
  const env = Object.fromEntries(words.slice(0, at).map((setting) => setting.split('=')));
  return { words: words.slice(at + 1), env };
}

/** In megabytes (of 1,000,000 bytes), as the kernel counts them: now, or at the peak since the start. */
export async function readMemory(pid: number | undefined, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]);
  return Math.round((kibibytes * 1024) / 1_000_000);
}
