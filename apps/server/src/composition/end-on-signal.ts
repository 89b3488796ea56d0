import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ends = new Set<() => Promise<unknown>>();

/**
 * Runs `end` before a signal ends this process: for what a command started, and would leave behind. Once the command has
 * ended it itself, it calls the function that is returned.
 */
export function endOnSignal(end: () => Promise<unknown>): () => void {
  if (ends.size === 0) for (const signal of SIGNALS) process.on(signal, endAll);
  ends.add(end);
  return () => {
    ends.delete(end);
    if (ends.size === 0) for (const signal of SIGNALS) process.off(signal, endAll);
  };
}

async function endAll(signal: NodeJS.Signals): Promise<void> {
  await Promise.allSettled([...ends].map((end) => end()));
  process.exit(128 + constants.signals[signal]);
}
