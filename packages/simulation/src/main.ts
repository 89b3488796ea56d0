// Plays histories that seeds decide, and stops at those that break a rule:
// npm run simulate -- [--seed N | --seeds COUNT --from N] [--steps LENGTH]

import { parseArgs } from 'node:util';
import { drawHistory } from './history.ts';
import { type Played, play } from './play.ts';
import { shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '50' },
  },
});
const length = Number(values.steps);
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;

/** After so many failures there is enough to look into. */
const MAX_FAILURES = 5;
const PROGRESS_EVERY = 500;

const counts = new Map<string, number>();
const began = performance.now();
let played = 0;
let failed = 0;
while (played < count && failed < MAX_FAILURES) {
  const seed = first + played;
  const history = drawHistory(seed, length);
  const outcome = await play(history);
  played += 1;
  for (const [what, times] of outcome.counts) counts.set(what, times + (counts.get(what) ?? 0));
  if (outcome.failure) {
    failed += 1;
    printFailure(seed, (await shrink(history)).played);
  }
  if (played % PROGRESS_EVERY === 0) console.log(`${played} of ${count} histories, ${failed} failed`);
}
printCoverage();
const seconds = (performance.now() - began) / 1000;
console.log(
  `${played} histories of ${length} steps, ${failed} failed, ${(played / seconds).toFixed(1)} a second`,
);
process.exitCode = failed === 0 ? 0 : 1;

function printFailure(seed: number, { failure, sentences }: Played): void {
  console.log(`Seed ${seed}: ${failure?.message}`);
  for (const [at, sentence] of sentences.entries()) console.log(`${String(at + 1).padStart(4)}. ${sentence}`);
  console.log(`Replay it: npm run simulate -- --seed ${seed}`);
}

/** How often each action, answer and call came about; what never did is missing. */
function printCoverage(): void {
  for (const [what, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${String(times).padStart(9)}  ${what}`);
  }
}
