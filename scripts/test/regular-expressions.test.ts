import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findRegexes } from './find-regexes.ts';
import { rememberSafe } from './remember-safe.ts';

// In this process, in JavaScript: it searches for no other program.
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** Code of the program, not of its tests. */
const SOURCES = ['packages', 'apps', 'examples'].flatMap((folder) => [
  `${folder}/**/src/**/*.{ts,js}`,
  `${folder}/**/assets/**/*.js`,
]);
const files = globSync([...SOURCES, 'scripts/*.{ts,js}'], {
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.d.ts'],
}).sort();

/** What an earlier run proved safe: for one version of the checker and one seed, a pattern has one verdict. */
const remembered = rememberSafe();
const safe = new Set<string>();

/** One run in so many proves a remembered pattern again, so that none stays that somebody wrote there by hand. */
const PROVED_AGAIN = 16;

/** The results by pattern, since some occur more than once. */
const known = new Map<string, string | null>(
  remembered.patterns.filter(() => Math.random() > 1 / PROVED_AGAIN).map((pattern) => [pattern, null]),
);

/** An attack that makes it slow, such as `2nd degree polynomial: 'a'.repeat(54773)`; null if there is none. */
function findSlowInput(source: string, flags: string): string | null {
  const key = `/${source}/${flags}`;
  if (!known.has(key)) known.set(key, checkRegex(source, flags));
  return known.get(key) ?? null;
}

function checkRegex(source: string, flags: string): string | null {
  // The seed makes the result reproducible.
  const result = checkSync(source, flags, { randomSeed: 1, timeout: 60_000 });
  if (result.status === 'safe') {
    safe.add(`/${source}/${flags}`);
    return null;
  }
  // Found by trial in another engine: Node's must confirm it. A safe one takes a few milliseconds.
  if (
    result.status === 'vulnerable' &&
    result.checker === 'fuzz' &&
    !isSlow(new RegExp(source, flags), result.attack.string)
  )
    return null;
  if (result.status === 'unknown') return `nobody knows: ${result.error.kind}`;
  return `${result.complexity.summary}: ${result.attack.pattern}`;
}

function isSlow(regex: RegExp, text: string): boolean {
  const before = process.cpuUsage();
  regex.test(text);
  return process.cpuUsage(before).user > 50_000;
}

describe('regular expressions', () => {
  test('take time in proportion to the length of any text', () => {
    const found = files.flatMap((file) =>
      findRegexes(file, readFileSync(file, 'utf8')).map((regex) => ({
        ...regex,
        place: `${file}:${regex.line}`,
      })),
    );
    expect(found.length).toBeGreaterThan(100);
    const slow = found.flatMap(({ place, source, flags }) => {
      if (source === null) return [`${place}: ${UNKNOWN}`];
      const input = findSlowInput(source, flags);
      return input === null ? [] : [`${place}: /${source}/${flags} (${input})`];
    });
    expect(slow).toEqual([]);
    const used = new Set(found.map(({ source, flags }) => `/${source}/${flags}`));
    remembered.save([...remembered.patterns, ...safe].filter((pattern) => used.has(pattern)));
  });

  test.each([
    ['/^(a+)+$/', '(a+)+'],
    [`const END = "+$"; const RE = new RegExp(\`a\${END}\`, "g");`, 'a+$'],
    [`const LENGTH = 2 * 3; RegExp(\`a{\${LENGTH + 1}}\`)`, 'a{7}'],
    ['Type.String({ pattern: "^a+$" })', '^a+$'],
    ['(a: string) => new RegExp(a)', null],
  ])('are found in %s', (code, source) => {
    expect(findRegexes('a.ts', code)).toEqual([
      expect.objectContaining({ line: 1, source: source === '(a+)+' ? '^(a+)+$' : source }),
    ]);
  });

  test.each(['^(a+)+$', '[^=]+=[^=]+=$', '\\s+$'])(
    'are refused if they contain a backreference, as %s does',
    (source) => {
      expect(findSlowInput(source, '')).toMatch(/polynomial|exponential/);
    },
  );
});

const UNKNOWN =
  'made of what is only known when it runs. Write it as a literal, or of constants of its own file, so that it can be checked.';
