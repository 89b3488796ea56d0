import { setImmediate } from 'node:timers/promises';
import type { Timer } from '@handover/domain';

/** The machine's own timers. */
export const systemTimer: Timer = {
  start: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
  yieldTurn,
};

/**
 * Yields one turn of the event loop to due timers and to connections with data to read. After a read, the
 * first wait ends in the same turn (immediates follow reads), before anything else ran.
 * https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
 */
export async function yieldTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Waits at most that long for the work. The work continues either way. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, null);
    void work.then(resolve).finally(() => clearTimeout(timer));
  });
}
