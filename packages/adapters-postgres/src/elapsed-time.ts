import { uptime } from 'node:os';

/** The clocks of a machine, in milliseconds. Only what passes between two looks at one of them means anything. */
export interface MachineClocks {
  /** Nobody can set it. On some systems it stands still while the machine sleeps. */
  monotonic(): number;
  /** It counts sleep, and anybody can set it. */
  wall(): number;
  /** It counts sleep, and nobody can set it, but it is coarse, and slow to read. */
  uptime(): number;
}

export const MACHINE_CLOCKS: MachineClocks = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  uptime: () => uptime() * 1000,
};

/** More than the uptime is inexact by (a second), and less than any signature minds. */
const MAX_GAP_MS = 2_000;

/**
 * Counts the time that passes, a machine's sleep included, and calls `onGap` when the clocks went apart: what is derived
 * from this count may be wrong then, and is to be compared with the truth.
 *
 * The wall clock shows that they went apart, and cannot say why: the machine slept, or somebody set the clock. To take its
 * word would let a wrong clock decide what is due. So the uptime says how much of it was sleep.
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
