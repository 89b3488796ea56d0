import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;

/**
 * Calls back when the process that started us is gone. npm, and on Node 20 the launcher, are between a terminal and this
 * program. If one of them is killed, it cannot forward that: the server would live on unseen and keep the port. Without npm, or
 * without /proc, nothing is watched.
 */
export function exitWithParent(whenGone: () => void): void {
  const starters = listStarters();
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (!areGone(starters)) return;
    clearInterval(timer);
    whenGone();
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** A look that fails for want of file handles or memory says nothing. */
function areGone(starters: readonly number[]): boolean {
  try {
    return listAncestors().slice(0, starters.length).join() !== starters.join();
  } catch {
    return false;
  }
}

/** Our ancestors up to the topmost npm, npx or pnpm; the process that started that one may end. */
function listStarters(): readonly number[] {
  if (process.env.npm_lifecycle_event === undefined) return [];
  const ancestors = listAncestors();
  const top = ancestors.findLastIndex((pid) => isStarter(readCommand(pid)));
  return ancestors.slice(0, top + 1);
}

function isStarter(command: string): boolean {
  return /^(\S*\/)?(npm|npx|pnpm)\b/.test(command) || /\/(npm|npx|pnpm)[\w-]*\.[cm]?js/.test(command);
}

/** Parent first. Empty if there is no /proc. */
function listAncestors(): readonly number[] {
  const ancestors: number[] = [];
  for (let pid = readParent(process.pid); pid > 1 && ancestors.length < 16; pid = readParent(pid)) {
    ancestors.push(pid);
  }
  return ancestors;
}

function readParent(pid: number): number {
  // The name, in brackets, may contain anything; the fields after it are numbers.
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
  } catch (error) {
    if (isShortage(error)) throw error;
    return '';
  }
}

function isShortage(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EMFILE', 'ENFILE', 'ENOMEM'].includes(String(error.code))
  );
}
