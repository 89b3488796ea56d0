import type { Clock } from '../ports/clock.ts';

/** What the machine says. */
export function createSystemClock(): Clock {
  return { now: () => new Date() };
}
