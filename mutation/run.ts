// Changes the code of a group in one place at a time, and runs its unit tests on each: npm run mutate -- [GROUP]...

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTree } from '../bug-zoo/copy-tree.ts';
import { checkReport, type Verdict } from './check-report.ts';
import { GROUPS } from './groups.ts';
import { runStryker } from './run-stryker.ts';
import { SURVIVORS } from './survivors.ts';

const MIN_SCORE = 95;

const root = join(import.meta.dirname, '..');
/** What was found last time: only what has changed since is tried again. */
const results = join(root, 'node_modules', '.cache', 'handover', 'mutation');

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !GROUPS[name]);
if (unknown !== undefined) {
  throw new Error(`No group is called ${unknown}. The groups: ${Object.keys(GROUPS).join(', ')}.`);
}

await mkdir(results, { recursive: true });
const verdicts: (readonly [string, Verdict])[] = [];
for (const name of wanted.length > 0 ? wanted : Object.keys(GROUPS)) {
  verdicts.push([name, await mutateGroup(name)]);
}
for (const [, verdict] of verdicts) printSurvivors(verdict);
for (const [name, { killed, survived, score }] of verdicts) {
  console.log(`${name.padEnd(10)} ${killed} killed, ${survived} survived: ${score.toFixed(1)} %`);
}
process.exitCode = verdicts.every(([, { score }]) => score >= MIN_SCORE) ? 0 : 1;

async function mutateGroup(name: string): Promise<Verdict> {
  // The files are changed while the tests run, so nobody else may work on them.
  const copy = await copyTree(root);
  try {
    const report = await runStryker(copy.directory, { group: name, results });
    return checkReport(
      report,
      SURVIVORS.filter(({ file }) => report.files[file]),
    );
  } finally {
    await copy.remove();
  }
}

function printSurvivors({ unlisted, outdated }: Verdict): void {
  for (const { file, at, line, change } of unlisted) {
    console.log(`Survived, and is not in mutation/survivors.ts: ${file}:${at}\n  ${line}\n  ${change}`);
  }
  for (const { file, line, change } of outdated) {
    console.log(`No longer survives, but is in mutation/survivors.ts: ${file}\n  ${line}\n  ${change}`);
  }
}
