import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const ONE_PLACE = 'packages/platform-webhooks/contract/src/verification.ts';

/** What would compare a secret in a time that depends on them, by the names that secrets have here. */
const SECRET = String.raw`[\w.]*(?:secret|signature|hmac|fingerprint|csrf|csrfToken|(?<![a-z])mac)`;
const FLAWS = {
  'timingSafeEqual of its own': /timingSafeEqual/,
  'an equality of secrets': new RegExp(
    String.raw`(?<!typeof )\b${SECRET}\)? ?[!=]==? (?!null|undefined|''|true|false|\d)`,
    'i',
  ),
  'an equality with a secret': new RegExp(String.raw`(?<!typeof \w+) [!=]==? ${SECRET}\b(?!\.)`, 'i'),
  'a search for a secret': new RegExp(String.raw`\.(?:includes|indexOf|equals|startsWith)\(${SECRET}\)`, 'i'),
};

/** No stranger reaches these: suites, their samples, and stores that stand for the database in tests and simulations. */
const NEVER_SERVES = ['**/testing/**', 'packages/testkit/**', 'packages/domain/src/memory/**'];

describe('the source code', () => {
  const sources = ['packages', 'apps'].flatMap((folder) =>
    globSync(`${folder}/**/src/**/*.ts`, { cwd: ROOT, exclude: ['**/node_modules/**', ...NEVER_SERVES] }),
  );

  it('is found by this test', () => {
    expect(sources).toContain(ONE_PLACE);
    expect(sources).toContain('apps/server/src/main.ts');
  });

  it('imports nothing from memory', () => {
    const importing = sources.filter((path) => /'@handover\/(?:domain\/memory|testkit)'/.test(read(path)));
    expect(importing.filter((path) => !path.startsWith('packages/simulation/'))).toEqual([]);
  });

  it.each(Object.entries(FLAWS))('uses %s only in the one function for it', (_flaw, pattern) => {
    const found = sources
      .filter((path) => path !== ONE_PLACE)
      .flatMap((path) =>
        read(path)
          .split('\n')
          .flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ['timingSafeEqual of its own', 'return timingSafeEqual(a, b);'],
    ['an equality of secrets', 'if (givenSecret === known) return true;'],
    ['an equality of secrets', 'return mac !== expected;'],
    ['an equality with a secret', 'return known === it.secret;'],
    ['a search for a secret', 'shop.secrets.includes(secret)'],
  ] as const)('would be found with %s in %j', (flaw, line) => {
    expect(FLAWS[flaw].test(line)).toBe(true);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
