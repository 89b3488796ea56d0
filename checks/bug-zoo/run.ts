// Plants bugs, one at a time, in copies of the repository, and runs the tests that should see each:
// npm run bug-zoo -- [AREA or NAME]... [--jobs COUNT]

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree } from '../copy-tree.ts';
import type { Bug } from './bug.ts';
import { BUGS } from './bugs/index.ts';
import { createTestServer } from './test-server.ts';
import { createBugTrial, type Outcome } from './try-bug.ts';

interface AreaBug extends Bug {
  readonly area: string;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { jobs: { type: 'string' } } });
const bugs = selectBugs(positionals);
const jobs = Number(values.jobs ?? availableParallelism());
if (!Number.isInteger(jobs) || jobs < 1) throw new RangeError('--jobs must be a whole number from 1 up.');

let isStopping = false;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    isStopping = true;
  });
}

const began = performance.now();
const tried: (Outcome & { readonly bug: AreaBug })[] = [];
const waiting = [...bugs];
const tryBug = createBugTrial();
await Promise.all(Array.from({ length: Math.min(jobs, bugs.length) }, work));
printSummary();
process.exitCode = tried.length === bugs.length && tried.every(({ kind }) => kind === 'caught') ? 0 : 1;

function selectBugs(words: readonly string[]): readonly AreaBug[] {
  const all = Object.entries(BUGS).flatMap(([area, list]) => list.map((bug) => ({ ...bug, area })));
  const unknown = words.find((word) => !all.some(({ area, name }) => word === area || word === name));
  if (unknown !== undefined) {
    throw new Error(`No area and no bug is called ${unknown}. The areas: ${Object.keys(BUGS).join(', ')}.`);
  }
  return all.filter(({ area, name }) => words.length === 0 || words.includes(area) || words.includes(name));
}

/** Tries one bug after the other in a copy of its own. */
async function work(): Promise<void> {
  const { directory, remove } = await copyTree(join(import.meta.dirname, '../..'));
  const { run, stop } = createTestServer(directory);
  try {
    for (let bug = waiting.shift(); bug && !isStopping; bug = waiting.shift()) {
      const started = performance.now();
      const outcome = await tryBug({ directory, run }, bug).catch(
        (error: unknown): Outcome => ({ kind: 'unknown', why: String(error) }),
      );
      tried.push({ ...outcome, bug });
      printOutcome(bug, outcome, (performance.now() - started) / 1000);
    }
  } finally {
    await stop();
    await remove();
  }
}

function printOutcome({ area, name }: AreaBug, outcome: Outcome, seconds: number): void {
  const place = `${String(tried.length).padStart(String(bugs.length).length)}/${bugs.length}`;
  const by = outcome.kind === 'caught' ? ` (${outcome.by})` : '';
  console.log(
    `${place}  ${outcome.kind.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  ${area}: ${name}${by}`,
  );
}

function printSummary(): void {
  const ofKind = <Kind extends Outcome['kind']>(kind: Kind) =>
    tried.filter((outcome): outcome is Extract<typeof outcome, { kind: Kind }> => outcome.kind === kind);
  const [caught, survived, unknown] = [ofKind('caught'), ofKind('survived'), ofKind('unknown')];
  for (const { bug, why } of unknown) console.log(`\nUnknown: ${bug.name}, since ${why}`);
  for (const { bug } of survived) {
    console.log(
      `\nSurvived: ${bug.name} in ${bug.file}\n  ${bug.rule}\n  Seen by none of: ${bug.seenBy.join(' ')}`,
    );
  }
  const counts = `${caught.length} caught, ${survived.length} survived, ${unknown.length} unknown`;
  const untried = bugs.length - tried.length;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `\n${bugs.length} bugs: ${counts}${untried > 0 ? `, ${untried} not tried` : ''}, in ${seconds} s`,
  );
}
