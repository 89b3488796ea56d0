import { expect, it } from 'vitest';
import { type Action, operate } from '../src/actions/action.ts';
import { findMissing, listExpected } from '../src/coverage.ts';
import { drawHistory } from '../src/history.ts';
import { play, shrink } from '../src/play.ts';
import { STEPS } from './play-seeds.ts';

const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

it('plays the same history from the same seed', async () => {
  for (const seed of SEEDS) {
    const [once, again] = [await play(drawHistory(seed, STEPS)), await play(drawHistory(seed, STEPS))];
    expect(again.digest).toBe(once.digest);
    expect(again.sentences).toEqual(once.sentences);
    expect(again.counts).toEqual(once.counts);
  }
});

it('plays another history from another seed, also concurrently', async () => {
  const alone = await play(drawHistory(3, STEPS));
  const together = await Promise.all(SEEDS.slice(0, 5).map((seed) => play(drawHistory(seed, STEPS))));
  expect(new Set(together.map(({ digest }) => digest)).size).toBe(5);
  expect(together[2]?.digest).toBe(alone.digest);
});

it.each([
  ['Date.now()', () => Date.now()],
  ['new Date()', () => new Date()],
  ['Math.random()', () => Math.random()],
  ['crypto.randomUUID()', () => crypto.randomUUID()],
  ['performance.now()', () => performance.now()],
])('fails when anything asks for %s while a history plays', async (what, ask) => {
  const asking = makeAction('an operator asks the machine', async () => ask());
  const { failure } = await play({ seed: 1, steps: [{ action: asking, seed: 2 }] });
  expect(failure?.message).toContain(`${what} was asked for`);
  expect(() => ask()).not.toThrow();
});

it('reduces a history that breaks a rule to the steps that break it', async () => {
  const breaking = makeAction('an operator breaks a rule', async () => {
    throw new Error('Broken on purpose');
  });
  const { steps } = drawHistory(4, 20);
  const history = { seed: 4, steps: steps.toSpliced(10, 0, { action: breaking, seed: 79 }) };
  const { history: shortest, played } = await shrink(history);
  expect(shortest.steps).toHaveLength(1);
  expect(played.sentences[0]).toBe('Something is broken (at web 1).');
  expect(played.failure?.message).toContain('Broken on purpose');
});

it('names what never happened', () => {
  const all = new Map(listExpected().map((name) => [name, 1]));
  expect(findMissing(all)).toEqual([]);
  expect(findMissing(all.set('action: a shop sells', 0))).toEqual(['action: a shop sells']);
});

function makeAction(name: string, work: () => Promise<unknown>): Action {
  return { name, weight: 1, begin: (world) => operate(world, 'Something is broken', work) };
}
