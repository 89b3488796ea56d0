import { expect, it } from 'vitest';
import { drawHistory } from '../src/history.ts';
import { play } from '../src/play.ts';
import { shrink } from '../src/shrink.ts';

/** `npm run simulate` goes on from here. */
const SEEDS = Array.from({ length: 25 }, (_, at) => at + 1);
const STEPS = 50;

it('breaks no rule in any of the first histories', async () => {
  for (const seed of SEEDS) {
    const { failure, sentences } = await play(drawHistory(seed, STEPS));
    if (failure) {
      const { played } = await shrink(drawHistory(seed, STEPS));
      throw new Error(`Seed ${seed}: ${failure.message}\n${played.sentences.join('\n')}`, { cause: failure });
    }
    expect(sentences).toHaveLength(STEPS + 1);
  }
});

it('plays the same history from the same seed', async () => {
  for (const seed of SEEDS.slice(0, 10)) {
    const [once, again] = [await play(drawHistory(seed, STEPS)), await play(drawHistory(seed, STEPS))];
    expect(again.digest).toBe(once.digest);
    expect(again.sentences).toEqual(once.sentences);
  }
});

it('plays another history from another seed', async () => {
  const digests = await Promise.all(
    SEEDS.slice(0, 5).map(async (seed) => (await play(drawHistory(seed, STEPS))).digest),
  );
  expect(new Set(digests).size).toBe(5);
});
