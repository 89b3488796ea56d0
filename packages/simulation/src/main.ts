// Plays histories from seeds, and stops at those that break a rule:
// npm run simulate -- [--seed N | --seeds COUNT --from N] [--steps LENGTH]
// With --postgres, histories run on PostgreSQL and in memory, and the two are compared after each step.
import { parseArgs } from 'node:util';
import { addCounts, COMPLETE_AFTER_HISTORIES, findMissing, printCounts } from './coverage.ts';
import { drawHistory } from './history.ts';
import { type Played, play, shrink } from './play.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '50' },
    postgres: { type: 'boolean', default: false },
  },
});
const length = readCount('steps', values.steps);
const first = readCount('from', values.seed ?? values.from);
const count = values.seed === undefined ? readCount('seeds', values.seeds) : 1;

/** After this many failures there is enough to analyse. */
const MAX_FAILURES = 5;
const PROGRESS_EVERY_MS = 10_000;

if (values.postgres) {
  const { simulateOnPostgres } = await import('./postgres/simulate-on-postgres.ts');
  const failures = await simulateOnPostgres({ first, count, steps: length });
  process.exit(failures === 0 ? 0 : 1);
}

const counts = new Map<string, number>();
const began = performance.now();
let told = began;
let played = 0;
let failed = 0;
while (played < count && failed < MAX_FAILURES) {
  const seed = first + played;
  const history = drawHistory(seed, length);
  const outcome = await play(history);
  played += 1;
  addCounts(counts, outcome.counts);
  if (outcome.failure) {
    failed += 1;
    printFailure(seed, (await shrink(history)).played);
  }
  if (performance.now() - told > PROGRESS_EVERY_MS) printProgress();
  // So that a signal is handled.
  if (played % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
if (values.seed === undefined) printCounts(counts);
const missing = played >= COMPLETE_AFTER_HISTORIES ? findMissing(counts) : [];
for (const name of missing) console.log(`Never happened: ${name}`);
console.log(`${played} histories of ${length} steps, ${failed} failed, ${readRate().toFixed(1)} a second`);
process.exitCode = failed === 0 && missing.length === 0 ? 0 : 1;

function readRate(): number {
  return played / ((performance.now() - began) / 1000);
}

function printProgress(): void {
  told = performance.now();
  const rate = readRate();
  const left = Math.ceil((count - played) / rate / 60);
  console.log(
    `${played} of ${count} histories, ${failed} failed, ${rate.toFixed(1)} a second, about ${left} min left`,
  );
}

function printFailure(seed: number, { failure, sentences }: Played): void {
  console.log(`Seed ${seed}: ${failure?.message}`);
  for (const [at, sentence] of sentences.entries()) console.log(`${String(at + 1).padStart(4)}. ${sentence}`);
  const steps = values.steps === '50' ? '' : ` --steps ${length}`;
  console.log(`Replay it: npm run simulate -- --seed ${seed}${steps}`);
}

function readCount(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`--${name} must be a whole number, not “${text}”.`);
}
