import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mutant } from './instrument.ts';
import type { SwitchedResults } from './mutant-runner.ts';

const RUN_TIMEOUT_MS = 15 * 60 * 1000;

/**
 * Which mutants the tests of a group kill, by id. Most are switched on and off in one run of the tests. What a module
 * does while it is loaded is done by then, so those mutants have a run each.
 */
export async function tryMutants(
  directory: string,
  group: string,
  mutants: readonly Mutant[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const results = await mkdtemp(join(directory, 'mutation-results-'));
  const code = await runTests(
    directory,
    [],
    { MUTATION_GROUP: group, MUTATION_RESULTS: results },
    { signal },
  );
  if (code !== 0) throw new Error(`The tests of ${group} fail before anything is changed.`);
  const { killed, loaded, disturbed } = await readResults(results);
  for (const test of disturbed) console.log(`Left broken by a mutant, and not counted: ${test}`);
  const all = new Set(killed);
  const toLoad = mutants.filter(({ id }) => loaded.includes(id) && !all.has(id));
  for (const [at, { id, fileName }] of toLoad.entries()) {
    const wanted = ['related', fileName, '--run', '--bail', '1', '--passWithNoTests'];
    const env = { MUTATION_GROUP: group, __STRYKER_ACTIVE_MUTANT__: id };
    if ((await runTests(directory, wanted, env, { signal, silent: true })) !== 0) all.add(id);
    if ((at + 1) % 10 === 0) console.log(`${group}: ${at + 1} of ${toLoad.length} that modules load with`);
  }
  return all;
}

/** Vitest may give a file another worker, although it is told to have one. */
async function readResults(directory: string): Promise<Omit<SwitchedResults, 'reached'>> {
  const files = await readdir(directory);
  const all: readonly SwitchedResults[] = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(directory, file), 'utf8'))),
  );
  return {
    killed: all.flatMap(({ killed }) => killed),
    loaded: [...new Set(all.flatMap(({ loaded }) => loaded))],
    disturbed: all.flatMap(({ disturbed }) => disturbed),
  };
}

async function runTests(
  directory: string,
  wanted: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal, silent = false }: { readonly signal: AbortSignal; readonly silent?: boolean },
): Promise<number | null> {
  const command = wanted.length > 0 ? wanted : ['run'];
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...command, '--config', 'checks/mutation/vitest.config.ts'],
    {
      cwd: directory,
      signal,
      // Loading may never end, too.
      timeout: RUN_TIMEOUT_MS,
      stdio: ['ignore', silent ? 'ignore' : 'inherit', silent ? 'ignore' : 'inherit'],
      // With `CI`, properties try the same cases for each mutant.
      env: { ...process.env, CI: 'true', ...env },
    },
  );
  const [code] = await once(vitest, 'exit');
  return code;
}
