/** Milliseconds by the monotonic clock of the machine, which is the same in all its processes. */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
