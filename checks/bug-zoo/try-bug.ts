import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bug, plantBug } from './bug.ts';
import type { Verdict } from './evaluate-run.ts';
import type { TestRequest } from './test-server.ts';

export type Outcome =
  | { readonly kind: 'caught'; readonly by: string }
  | { readonly kind: 'survived' }
  /** Nothing is known of the bug. */
  | { readonly kind: 'unknown'; readonly why: string };

/** A copy of the repository, and what runs tests in it. Nothing else uses it meanwhile. */
export interface Workplace {
  readonly directory: string;
  readonly run: (request: TestRequest) => Promise<Verdict>;
}

/**
 * Makes the function that tries bugs. Tests must pass without the bug, or their failure would say nothing of it: that is
 * tried once for each set of tests.
 */
export function createBugTrial(): (workplace: Workplace, bug: Bug) => Promise<Outcome> {
  const withoutBug = new Map<string, Promise<Verdict>>();

  return async ({ directory, run }, bug) => {
    const { seenBy, tests = null } = bug;
    const key = JSON.stringify([seenBy, tests]);
    const sound = withoutBug.get(key) ?? run({ seenBy, tests, changed: [] });
    withoutBug.set(key, sound);
    const before = await sound;
    if (before.kind !== 'passed') return unknown(`its tests fail without it: ${explain(before)}`);
    const after = await withBug(directory, bug, () => run({ seenBy, tests, changed: [bug.file] }));
    if (after.kind === 'failed') return { kind: 'caught', by: after.by };
    return after.kind === 'passed' ? { kind: 'survived' } : unknown(explain(after));
  };
}

async function withBug(directory: string, bug: Bug, work: () => Promise<Verdict>): Promise<Verdict> {
  const path = join(directory, bug.file);
  const content = await readFile(path, 'utf8');
  await writeFile(path, plantBug(bug, content));
  try {
    return await work();
  } finally {
    await writeFile(path, content);
  }
}

function explain(verdict: Exclude<Verdict, { readonly kind: 'passed' }>): string {
  return verdict.kind === 'failed' ? verdict.by : verdict.why;
}

function unknown(why: string): Outcome {
  return { kind: 'unknown', why };
}
