import { performance } from 'node:perf_hooks';

/** Every fast server has fewer waiting webhooks than this; so few do not mean that it is late. */
const MANY_WAITING = 8;
/**
 * From this utilization on, other work delays the waiting webhooks: PostgreSQL and their senders need processors, too, and on
 * a small machine these are the same. Jobs are not starved by it: unless accepting alone uses as much, it falls below as soon
 * as they are fewer.
 */
const BUSY = 0.6;
/** A shorter period says nothing about utilization. */
const MIN_OBSERVED_MS = 200;

interface Load {
  /** Webhooks that wait to be recorded. */
  readonly waiting: number;
  /** The recent utilization of the event loop, from 0 to 1. */
  readonly utilization: number;
}

/** Whether accepted work must wait for webhooks that are not accepted yet: their senders time out after seconds. */
export function isPressed({ waiting, utilization }: Load): boolean {
  return waiting >= MANY_WAITING && utilization >= BUSY;
}

/** Tells, when called, whether this process is under pressure. */
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
