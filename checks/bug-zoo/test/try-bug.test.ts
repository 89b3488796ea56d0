import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { evaluateRun, type Verdict } from '../evaluate-run.ts';
import { createBugTrial } from '../try-bug.ts';

const PASSED: Verdict = { kind: 'passed' };
const FAILED: Verdict = { kind: 'failed', by: 'adds amounts' };

describe('what a run of tests says', () => {
  const resultsOf = (...states: readonly string[]) => states.map((state) => ({ name: `is ${state}`, state }));

  it('is the first test that failed', () => {
    expect(evaluateRun(resultsOf('passed', 'failed'), ['too'])).toEqual({ kind: 'failed', by: 'is failed' });
  });

  it('is that they pass, where one ran and none failed', () => {
    expect(evaluateRun(resultsOf('passed', 'skipped'), [])).toEqual(PASSED);
  });

  it('is nothing where no test has such a name, or where something else failed', () => {
    expect(evaluateRun(resultsOf('skipped'), [])).toMatchObject({ kind: 'broken' });
    expect(evaluateRun(resultsOf('passed'), ['Syntax'])).toEqual({ kind: 'broken', why: 'Syntax' });
  });
});

describe('trying a bug', () => {
  const bug = { rule: 'It is less.', file: 'rule.ts', find: '<', replace: '<=', seenBy: ['rule.test.ts'] };

  async function openDirectory(): Promise<string> {
    const directory = await makeTemporaryDirectory();
    await writeFile(join(directory, bug.file), 'a < b');
    return directory;
  }

  const tryTwice = async (without: Verdict, withBug: Verdict) => {
    const directory = await openDirectory();
    const seen: unknown[] = [];
    const run = async ({ changed }: { readonly changed: readonly string[] }) => {
      const content = await readFile(join(directory, bug.file), 'utf8');
      seen.push([content, ...changed]);
      return content === 'a < b' ? without : withBug;
    };
    const tryBug = createBugTrial();
    const first = await tryBug({ directory, run }, { ...bug, name: 'one' });
    const second = await tryBug({ directory, run }, { ...bug, name: 'another' });
    return { outcomes: [first, second], seen, left: await readFile(join(directory, bug.file), 'utf8') };
  };

  it('runs its tests without it once, then with it for each bug, and leaves nothing of it', async () => {
    const { outcomes, seen, left } = await tryTwice(PASSED, FAILED);
    const caught = { kind: 'caught', by: 'adds amounts' };
    expect(outcomes).toEqual([caught, caught]);
    expect(seen).toEqual([['a < b'], ['a <= b', 'rule.ts'], ['a <= b', 'rule.ts']]);
    expect(left).toBe('a < b');
  });

  it('says that it survived where its tests pass with it', async () => {
    expect((await tryTwice(PASSED, PASSED)).outcomes[0]).toEqual({ kind: 'survived' });
  });

  it('knows nothing where its tests fail without it, or do not run with it', async () => {
    const [before] = (await tryTwice(FAILED, FAILED)).outcomes;
    expect(before).toEqual({ kind: 'unknown', why: 'its tests fail without it: adds amounts' });
    const [after] = (await tryTwice(PASSED, { kind: 'broken', why: 'Syntax' })).outcomes;
    expect(after).toEqual({ kind: 'unknown', why: 'Syntax' });
  });
});
