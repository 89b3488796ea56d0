// What the domain asks of the world outside. Every method is scoped by organisation unless it finds one, and an id
// that is malformed or another organisation's counts as unknown, never as an error.

/** What time it is. Nothing in the domain asks the machine itself. */
export interface Clock {
  now(): Date;
}

/** Waiting. As with the clock, nothing in the domain asks the machine itself. */
export interface Timer {
  /** Calls `then` once, so many milliseconds from now. The answer calls it off. */
  start(milliseconds: number, then: () => void): () => void;
  /** Lets other work of the process go on for a moment. */
  yieldTurn(): Promise<void>;
}

/** Where new ids come from. */
export interface Ids {
  /** A new UUIDv7, in the order of time. */
  next(): string;
}
