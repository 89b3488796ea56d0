import { setImmediate } from 'node:timers/promises';
import type { Timer } from '@handover/domain';

/** The machine's own. */
export const systemTimer: Timer = {
  start: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
  yieldTurn,
};

/**
 * Lets the event loop go round once: timers that are due and connections that have something to read get their turn.
 * After a read, the first wait ends in the same round (immediates follow reads), before anybody else had a turn.
 * https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick
 */
export async function yieldTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Waits for the work no longer than that. It goes on all the same. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, null);
    void work.then(resolve).finally(() => clearTimeout(timer));
  });
}
