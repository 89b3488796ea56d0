import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const MAY_NAME_NPM = [
  // Begins commands as they are typed where this program runs: with a release, or in a clone.
  'apps/server/src/cli/command-text.ts',
  // For those who install the packages; a release has all links.
  'packages/embedded-postgres/src/cluster.ts',
];

it('names no command of a clone in what a release shows', async () => {
  const found: string[] = [];
  for await (const file of glob(['apps/server/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root })) {
    // Programs for developers.
    if (/^packages\/(simulation|create-platform)\//.test(file)) continue;
    const code = (await readFile(`${root}/${file}`, 'utf8')).replaceAll(/^\s*(\*|\/[/*]).*$/gm, '');
    if (/npm run|pnpm /.test(code)) found.push(file);
  }
  expect(found.toSorted()).toEqual(MAY_NAME_NPM);
});
