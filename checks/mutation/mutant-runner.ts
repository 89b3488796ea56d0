import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';

/** What the instrumented code reads and writes: see `@stryker-mutator/instrumenter`. */
interface Switches {
  activeMutant?: string | undefined;
  /** How often the active mutant was reached; beyond the limit, the code throws. */
  hitCount?: number | undefined;
  hitLimit?: number;
  currentTestId?: string | undefined;
  mutantCoverage?: {
    /** Reached while modules are loaded. */
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Record<string, Readonly<Record<string, number>>>;
  };
}

/** What the runs of all test files of one worker come to. Mutants are named by their ids. */
export interface SwitchedResults {
  readonly killed: readonly string[];
  readonly reached: readonly string[];
  readonly loaded: readonly string[];
  /** Tests that failed once a mutant was gone: what they share was left broken, so they say nothing. */
  readonly disturbed: readonly string[];
}

const shared = globalThis as typeof globalThis & { __stryker__?: Switches; mutationResults?: Found };
shared.__stryker__ ??= {};
shared.mutationResults ??= { killed: new Set(), reached: new Set(), disturbed: new Set() };
const switches = shared.__stryker__;
const found = shared.mutationResults;

interface Found {
  readonly killed: Set<string>;
  readonly reached: Set<string>;
  readonly disturbed: Set<string>;
}

/**
 * Runs each test as it is, which tells the mutants that it reaches, and then once with each of them that no test has
 * killed yet. Nothing is loaded anew for a mutant, so that trying one takes as long as the test does.
 */
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    for (const [mutant, hits] of await listReached(test.id, run)) {
      found.reached.add(mutant);
      if (found.killed.has(mutant) || !(await failsWith(mutant, hits, run))) continue;
      // What a mutant did to what the tests share must not kill others.
      if (await failsWith(undefined, 0, run)) found.disturbed.add(test.fullName);
      else found.killed.add(mutant);
    }
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (isFile(suite)) writeResults();
  }
}

async function listReached(testId: string, run: () => unknown): Promise<readonly [string, number][]> {
  switches.activeMutant = undefined;
  switches.hitCount = undefined;
  switches.currentTestId = testId;
  try {
    await run();
  } finally {
    switches.currentTestId = undefined;
  }
  return Object.entries(switches.mutantCoverage?.perTest[testId] ?? {});
}

async function failsWith(mutant: string | undefined, hits: number, run: () => unknown): Promise<boolean> {
  switches.activeMutant = mutant;
  switches.hitCount = 0;
  // A loop that no longer ends goes beyond it.
  switches.hitLimit = hits * 100 + 100;
  // What is reached now is not reached while modules are loaded.
  switches.currentTestId = 'with a mutant';
  try {
    await run();
    return false;
  } catch {
    return true;
  } finally {
    switches.activeMutant = undefined;
    switches.hitCount = undefined;
    switches.currentTestId = undefined;
  }
}

function isFile(task: RunnerTask): boolean {
  return 'filepath' in task;
}

function writeResults(): void {
  const results: SwitchedResults = {
    killed: [...found.killed],
    reached: [...found.reached],
    loaded: Object.keys(switches.mutantCoverage?.static ?? {}),
    disturbed: [...found.disturbed],
  };
  const name = `${process.pid}-${threadId}.json`;
  writeFileSync(join(process.env.MUTATION_RESULTS ?? '', name), JSON.stringify(results));
}
