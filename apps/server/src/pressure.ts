import { performance } from 'node:perf_hooks';

/** Fewer wait on every server that is quick; so few do not say that it is late. */
const MANY_WAITING = 8;
/** Above this, whatever else runs delays those that wait. */
const FULL = 0.9;
/** Less time says nothing of how busy a process is. */
const MIN_OBSERVED_MS = 200;

interface Load {
  /** Webhooks that wait to be recorded. */
  readonly waiting: number;
  /** The share of its time that the event loop was at work lately. */
  readonly utilization: number;
}

/** Whether what was accepted before is to wait for what is not accepted yet: its senders give up after seconds. */
export function isPressed({ waiting, utilization }: Load): boolean {
  return waiting >= MANY_WAITING && utilization >= FULL;
}

/** Tells, whenever it is asked, whether this process is pressed. */
export function watchPressure(countWaiting: () => number): () => boolean {
  let base = performance.eventLoopUtilization();
  let utilization = 0;
  return () => {
    const seen = performance.eventLoopUtilization(base);
    if (seen.active + seen.idle >= MIN_OBSERVED_MS) {
      utilization = seen.utilization;
      base = performance.eventLoopUtilization();
    }
    return isPressed({ waiting: countWaiting(), utilization });
  };
}
