// Changes the code of a group in one place at a time, and runs its unit tests on each: npm run mutate -- [GROUP]...

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTree } from '../copy-tree.ts';
import { checkMutants, type Verdict } from './check-mutants.ts';
import { GROUPS, type Group } from './groups.ts';
import { instrument } from './instrument.ts';
import { reportVerdicts } from './report-verdicts.ts';
import { SURVIVORS } from './survivors.ts';
import { tryMutants } from './try-mutants.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules', '.cache', 'handover', 'mutation');

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !GROUPS[name]);
if (unknown !== undefined) {
  throw new Error(`No group is called ${unknown}. The groups: ${Object.keys(GROUPS).join(', ')}.`);
}

// So that the copy is removed.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());

await mkdir(cache, { recursive: true });
const verdicts: (readonly [string, Verdict])[] = [];
for (const [name, group] of Object.entries(GROUPS)) {
  if (wanted.length === 0 || wanted.includes(name)) verdicts.push([name, await mutateGroup(name, group)]);
}
const { lines, isWell } = reportVerdicts(verdicts);
for (const line of lines) console.log(line);
process.exitCode = isWell ? 0 : 1;

async function mutateGroup(name: string, { mutate }: Group): Promise<Verdict> {
  const { directory, remove } = await copyTree(root);
  try {
    const { mutants, sources } = await instrument(directory, mutate, cache);
    console.log(`${name}: ${mutants.length} mutants`);
    const killed = await tryMutants(directory, name, mutants, stop.signal);
    return checkMutants({ directory, sources, mutants, killed }, SURVIVORS);
  } finally {
    await remove();
  }
}
