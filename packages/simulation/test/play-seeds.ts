import { addCounts } from '../src/coverage.ts';
import { drawHistory } from '../src/history.ts';
import { play, shrink } from '../src/play.ts';

export const STEPS = 50;

/** Seconds on an idle machine, and minutes on a busy one. */
export const WAIT_TIMEOUT_MS = 1_200_000;

/** Plays a history of each seed, and counts the events. Throws the shortest one that breaks a rule, as sentences. */
export async function playSeeds(first: number, count: number): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let seed = first; seed < first + count; seed += 1) {
    const history = drawHistory(seed, STEPS);
    const outcome = await play(history);
    addCounts(counts, outcome.counts);
    if (!outcome.failure) continue;
    const { sentences } = (await shrink(history)).played;
    const replay = `npm run simulate -- --seed ${seed}`;
    throw new Error(`Seed ${seed}: ${outcome.failure.message}\n${sentences.join('\n')}\n${replay}`);
  }
  return counts;
}
