import type { TestRunner } from '@handover/testkit';
import { expect } from 'vitest';

/** Runs a suite by itself, and answers with the full names and messages of the tests that failed. */
export async function runSuite(suite: (runner: TestRunner) => void): Promise<ReadonlyMap<string, string>> {
  const tests: { readonly name: string; readonly body: () => Promise<void> | void }[] = [];
  const names: string[] = [];
  suite({
    describe: (name, body) => {
      names.push(name);
      body();
      names.pop();
    },
    it: (name, body) => tests.push({ name: [...names, name].join(' '), body }),
    expect,
  });
  const failures = new Map<string, string>();
  for (const { name, body } of tests) {
    try {
      await body();
    } catch (error) {
      failures.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  return failures;
}
