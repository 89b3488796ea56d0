import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MutationReport } from './check-report.ts';
import { GROUPS } from './groups.ts';

const VERSION = '10.1.1';

interface Run {
  readonly group: string;
  /** The directory that keeps results from one run to the next. */
  readonly results: string;
}

/** Mutates the files of a group in this copy of the repository, and returns Stryker's report. */
export async function runStryker(directory: string, { group, results }: Run): Promise<MutationReport> {
  const reportFile = join(results, `${group}.report.json`);
  await rm(reportFile, { force: true });
  await writeFile(
    join(directory, 'stryker.config.json'),
    JSON.stringify({
      mutate: GROUPS[group]?.mutate,
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { configFile: 'mutation/vitest.config.ts', related: true },
      coverageAnalysis: 'perTest',
      // Packages of the workspace import each other through links, which lead out of a sandbox of Stryker's own.
      inPlace: true,
      concurrency: 1,
      incremental: true,
      incrementalFile: join(results, `${group}.incremental.json`),
      reporters: ['progress-append-only', 'json'],
      jsonReporter: { fileName: reportFile },
      disableTypeChecks: false,
      warnings: { slow: false },
    }),
  );
  await startStryker(directory, group);
  return JSON.parse(await readFile(reportFile, 'utf8'));
}

/** Fetches Stryker, which is too large to be part of everyone's installation. */
async function startStryker(directory: string, group: string): Promise<void> {
  const { version: vitest } = JSON.parse(
    await readFile(join(directory, 'node_modules/vitest/package.json'), 'utf8'),
  );
  const packages = [
    `@stryker-mutator/core@${VERSION}`,
    `@stryker-mutator/vitest-runner@${VERSION}`,
    `vitest@${vitest}`,
  ];
  const stryker = spawn('npx', ['-y', ...packages.flatMap((name) => ['-p', name]), 'stryker', 'run'], {
    cwd: directory,
    stdio: 'inherit',
    // With `CI`, properties try the same cases for each mutant.
    env: { ...process.env, CI: 'true', MUTATION_GROUP: group },
  });
  const [code] = await once(stryker, 'exit');
  if (code !== 0) throw new Error(`Stryker ended with status ${code}.`);
}
