/** How long a thread was busy in one go. */
export interface Hold {
  /** By the clock, with what other programs took of a busy machine meanwhile. */
  readonly wallMs: number;
  /** Processor time of the thread itself. */
  readonly cpuMs: number;
}

/** Measures this thread, each time from the last look on. */
export function createHoldMeter(): () => Hold {
  let [at, used] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const { user, system } = process.threadCpuUsage(used);
    const hold = { wallMs: performance.now() - at, cpuMs: (user + system) / 1000 };
    [at, used] = [performance.now(), process.threadCpuUsage()];
    return hold;
  };
}

export const NO_HOLD: Hold = { wallMs: 0, cpuMs: 0 };

/** Processor time decides which of two is longer: another program's is nobody's fault. */
export function isLonger(one: Hold, other: Hold): boolean {
  return one.cpuMs > other.cpuMs;
}
