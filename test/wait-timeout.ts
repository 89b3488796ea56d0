/**
 * How long a test waits for what must come: much longer than it takes, however busy the machine is. What would be wrong
 * comes later still, or never.
 */
export const WAIT_TIMEOUT_MS = 15_000;
