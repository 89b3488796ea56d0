import { setImmediate } from 'node:timers/promises';
import type { Timer } from '@handover/domain';

/** The machine's own. */
export const systemTimer: Timer = {
  start: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
  yieldTurn: () => setImmediate(),
};
