import { DOWNLOADS } from './survivors/downloads.ts';
import { FULFILMENT } from './survivors/fulfilment.ts';
import { RECEIPTS } from './survivors/receipts.ts';
import { VERIFY } from './survivors/verify.ts';

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

export type SurvivorsByFile = Readonly<Record<string, readonly Omit<Survivor, 'file'>[]>>;

/** By text and not by line number, so that other changes of a file leave them true. */
export const SURVIVORS: readonly Survivor[] = [FULFILMENT, VERIFY, RECEIPTS, DOWNLOADS].flatMap((group) =>
  Object.entries(group).flatMap(([file, survivors]) => survivors.map((survivor) => ({ file, ...survivor }))),
);
