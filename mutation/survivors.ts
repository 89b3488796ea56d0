/** A mutant that no test kills, and why that is right. */
export interface Survivor {
  readonly file: string;
  /** The first line of what is mutated, as `npm run mutate` prints it. */
  readonly line: string;
  /** `before → after`. */
  readonly change: string;
  /** Why the mutated program does the same, or why the difference does not matter. */
  readonly reason: string;
}

export const SURVIVORS: readonly Survivor[] = [];
