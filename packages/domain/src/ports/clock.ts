/** What time it is. Nothing in the domain asks the machine itself. */
export interface Clock {
  now(): Date;
}

/** Waiting. As with the clock, nothing in the domain asks the machine itself. */
export interface Timer {
  /** Calls `then` once, after this many milliseconds. The returned function cancels it. */
  start(milliseconds: number, then: () => void): () => void;
  /** Yields to other work of the process for a moment. */
  yieldTurn(): Promise<void>;
}

/** Where new ids come from. */
export interface Ids {
  /** A new UUIDv7, in the order of time. */
  next(): string;
}
