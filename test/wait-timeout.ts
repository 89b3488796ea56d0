/**
 * How long a test waits for an expected event: much longer than it takes, even on a busy machine. A wrong event would
 * come later still, or never.
 */
export const WAIT_TIMEOUT_MS = 15_000;
