import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { plantBug } from '../bug.ts';
import { BUGS } from '../bugs/index.ts';

const root = join(import.meta.dirname, '../../..');
const bugs = Object.values(BUGS).flat();

describe('the bug zoo', () => {
  it('holds at least sixty bugs, each with a name of its own', () => {
    expect(bugs.length).toBeGreaterThanOrEqual(60);
    expect(new Set(bugs.map(({ name }) => name)).size).toBe(bugs.length);
    const areas = Object.keys(BUGS);
    expect(bugs.filter(({ name }) => areas.includes(name))).toEqual([]);
  });

  it.each(bugs)('$name applies to the code as it is', (bug) => {
    const content = readFileSync(join(root, bug.file), 'utf8');
    const planted = plantBug(bug, content);
    expect(planted).not.toBe(content);
    expect(parseSync(bug.file, planted).errors).toEqual([]);
    // A constant that was renamed would throw, which the program handles as a failure: no test fails on the bug then.
    const known = constantsOf(content);
    expect(constantsOf(bug.replace.replace(/'[^']*'/g, '')).filter((name) => !known.includes(name))).toEqual(
      [],
    );
    expect(bug.rule).toMatch(/^\p{Lu}.*\.$/u);
    expect(bug.seenBy.length).toBeGreaterThan(0);
    expect(bug.seenBy.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

function constantsOf(code: string): readonly string[] {
  return code.match(/\b[A-Z][A-Z_]+\b/g) ?? [];
}

describe('planting a bug', () => {
  const bug = { file: 'rule.ts', find: 'a < b', replace: 'a <= $&b' };

  it('replaces the text as it is written', () => {
    expect(plantBug(bug, 'return a < b;')).toBe('return a <= $&b;');
  });

  it.each(['return a > b;', 'return a < b || a < b;'])(
    'is refused where the text is not there once: %s',
    (code) => {
      expect(() => plantBug(bug, code)).toThrow('not once: a < b');
    },
  );
});
