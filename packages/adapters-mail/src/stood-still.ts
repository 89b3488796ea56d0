/** Shorter than what is left of a claim at the least, while the process that holds it runs and renews it. */
const MAX_STILL_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/** Whether the process ran all the time since a mail was begun. */
export interface StillWatch {
  /** @throws Error when it stood still for so long that another process may have begun the same mail. */
  check(): void;
  stop(): void;
}

/**
 * A process that is frozen in the middle of a conversation, or whose machine sleeps, goes on with it when it wakes; by then
 * another process may have sent the mail. The monotonic clock does not count a machine's sleep, and the other one may be
 * set, so the longer of both counts: what is taken for a pause and was none costs one more try.
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
