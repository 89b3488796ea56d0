import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How bin/handover starts the program: the words of a command, or `serve`, follow `args`. */
export interface StartCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Builds what has changed, too. */
export function readStartCommand(): StartCommand {
  const launcher = fileURLToPath(new URL('../bin/handover', import.meta.url));
  const printed = execFileSync(process.execPath, [launcher, 'start-command'], { encoding: 'utf8' });
  return JSON.parse(printed);
}
