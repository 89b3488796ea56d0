// npm run chaos -- [--seed N] [--faults N]
import { parseArgs } from 'node:util';
import { undoAtEnd } from '../../bench/speed/undo-at-end.ts';
import { type ChaosReport, isWell, playChaos } from './play.ts';
import { describeAnswers } from './send-delivery.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(1 + Math.floor(Math.random() * 1_000_000)) },
    faults: { type: 'string', default: '30' },
    'longest-freeze': { type: 'string', default: '60' },
    'no-mount': { type: 'boolean', default: false },
  },
});
const seed = readNumber('seed');
const faults = readNumber('faults');
const longestFreeze = readNumber('longest-freeze');
const replay =
  `npm run chaos -- --seed ${seed} --faults ${faults}` +
  `${longestFreeze === 60 ? '' : ` --longest-freeze ${longestFreeze}`}${values['no-mount'] ? ' --no-mount' : ''}`;

console.log(`Replay the same faults with: ${replay}`);
const undo = undoAtEnd();
for (const trouble of ['uncaughtException', 'unhandledRejection'] as const) {
  process.once(trouble, (error) => {
    console.error(error);
    void undo.all().finally(() => process.exit(1));
  });
}
const report = await playChaos(
  {
    seed,
    faults,
    longestFreezeMs: longestFreeze * 1_000,
    mayMount: !values['no-mount'],
    salesPerSecond: 4,
    completeWithinMs: 240_000,
    say: (line) => console.log(line),
  },
  undo,
);
for (const line of describe(report)) console.log(line);
if (!isWell(report)) {
  console.log(`The logs are kept in ${report.directory}. Replay the same faults with: ${replay}`);
  process.exitCode = 1;
}
// Requests of senders that gave up may still be open in a pool of connections.
process.exit();

function describe(found: ChaosReport): readonly string[] {
  const { lost, boughtTwice, mailedTwice, completeAfterMs } = found;
  return [
    '',
    ...[...lost, ...boughtTwice, ...mailedTwice].map((name) => `! ${name}`),
    `faults ${Object.values(found.faults).reduce((sum, count) => sum + count, 0)}`,
    ...Object.entries(found.faults).map(([kind, count]) => `  ${kind} ${count}`),
    `sales ${found.sales}`,
    `requests that no server was there for ${found.unsent}`,
    ...describeAnswers(found),
    `lost ${lost.length}`,
    `bought twice ${boughtTwice.length}`,
    `mailed twice ${mailedTwice.length}`,
    `mailed twice inside the SMTP window ${found.mailedTwiceInWindow}`,
    `programs that ended by themselves ${found.endedByThemselves}`,
    completeAfterMs === null
      ? `not complete: ${found.incomplete}`
      : `complete after ${(completeAfterMs / 1000).toFixed(1)} s`,
  ];
}

function readNumber(name: 'seed' | 'faults' | 'longest-freeze'): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above 0, not “${values[name]}”.`);
  process.exit(2);
}
