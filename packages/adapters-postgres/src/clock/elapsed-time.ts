import { uptime } from 'node:os';

/** The clocks of a machine, in milliseconds. Only the difference between two readings of one clock has a meaning. */
export interface MachineClocks {
  /** Nothing can set it. On some systems it stops while the machine sleeps. */
  monotonic(): number;
  /** It includes sleep, and it can be set. */
  wall(): number;
  /** It includes sleep, and nothing can set it, but it is coarse and slow to read. */
  uptime(): number;
}

export const MACHINE_CLOCKS: MachineClocks = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  uptime: () => uptime() * 1000,
};

/** More than the error of the uptime (a second), and less than any signature's tolerance. */
const MAX_GAP_MS = 2_000;

/**
 * Counts elapsed time, including the sleep of the machine, and calls `onGap` when the clocks diverge: values derived
 * from this count may be wrong then and must be compared with the database.
 *
 * The wall clock shows that they diverged, but not why: the machine slept, or the clock was set. To trust it would
 * let a wrong clock decide what is due, so the uptime decides how much of the gap was sleep.
 */
export function createElapsedTime(clocks: MachineClocks, onGap: () => void): () => number {
  const wallLead = () => clocks.wall() - clocks.monotonic();
  const uptimeLead = () => clocks.uptime() - clocks.monotonic();
  const uptimeAtFirst = uptimeLead();
  let knownWall = wallLead();
  let slept = 0;
  return () => {
    if (Math.abs(wallLead() - knownWall) > MAX_GAP_MS) {
      knownWall = wallLead();
      const asleep = uptimeLead() - uptimeAtFirst;
      if (asleep - slept > MAX_GAP_MS) slept = asleep;
      onGap();
    }
    return clocks.monotonic() + slept;
  };
}
