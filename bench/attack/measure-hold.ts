/** How long a thread was busy without a pause. */
export interface Hold {
  /** Wall-clock time, including other programs on a busy machine. */
  readonly wallMs: number;
  /** CPU time of the thread itself. */
  readonly cpuMs: number;
}

/** Measures this thread, from the previous call on. */
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

/** CPU time decides which of two is longer: the time of another program does not count. */
export function isLonger(one: Hold, other: Hold): boolean {
  return one.cpuMs > other.cpuMs;
}
