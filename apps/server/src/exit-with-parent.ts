import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

/**
 * Calls back when what started us is gone. `npm start` puts npm, npx, pnpm and two shells between a person and this
 * program, and a SIGTERM sent to the first of them ends some of them without ever being passed on: we would live on,
 * unseen, with the port. (A Ctrl-C reaches all.) Started without npm there is nobody to watch, nor where no /proc is.
 */
export function exitWithParent(whenGone: () => void): void {
  const starters = listStarters();
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (listAncestors().slice(0, starters.length).join() === starters.join()) return;
    clearInterval(timer);
    whenGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Our ancestors up to the topmost npm, npx or pnpm; whoever started that may well go away. */
function listStarters(): readonly number[] {
  if (process.env.npm_lifecycle_event === undefined) return [];
  const ancestors = listAncestors();
  const top = ancestors.findLastIndex((pid) => isStarter(readCommand(pid)));
  return ancestors.slice(0, top + 1);
}

function isStarter(command: string): boolean {
  return /^(\S*\/)?(npm|npx|pnpm)\b/.test(command) || /\/(npm|npx|pnpm)[\w-]*\.[cm]?js/.test(command);
}

/** Parent first. Empty where there is no /proc. */
function listAncestors(): readonly number[] {
  const ancestors: number[] = [];
  for (let pid = readParent(process.pid); pid > 1 && ancestors.length < 16; pid = readParent(pid)) {
    ancestors.push(pid);
  }
  return ancestors;
}

function readParent(pid: number): number {
  // The name, in brackets, may hold anything; what follows it are numbers.
  const stat = readProc(pid, 'stat');
  const [, parent = ''] = /^\) \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')'))) ?? [];
  return Number(parent);
}

function readCommand(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
