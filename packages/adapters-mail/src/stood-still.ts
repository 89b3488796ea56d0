/** Shorter than the remaining time of a claim, as long as its process runs and renews it. */
const MAX_STILL_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/** Detects whether the process was suspended since a mail was started. */
export interface StillWatch {
  /** @throws Error when the process was suspended so long that another one may have started the same mail. */
  check(): void;
  stop(): void;
}

/**
 * A process that is suspended in the middle of an SMTP conversation, or whose machine sleeps, continues it
 * when it wakes; by then another process may have sent the mail. The monotonic clock does not count sleep,
 * and the wall clock can be set, so the larger difference counts: a false positive costs one retry.
 */
export function watchStandingStill(): StillWatch {
  let seen = readClocks();
  let stoodStill = false;
  const look = (): void => {
    const now = readClocks();
    if (now.some((time, at) => time - (seen[at] ?? time) > MAX_STILL_MS)) stoodStill = true;
    seen = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    check: () => {
      look();
      if (stoodStill) throw new Error('The program stood still while it talked with the mail server');
    },
    stop: () => clearInterval(timer),
  };
}

function readClocks(): readonly number[] {
  return [performance.now(), Date.now()];
}
