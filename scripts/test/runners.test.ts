import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const runners = Object.entries(scripts).filter(([, command]) => command.includes('.ts'));

describe('npm run', () => {
  it.each(runners)(
    '%s starts a program that exists, on the sources and a Node that reads them',
    (_, command) => {
      const [, program = ''] =
        /^npx -y -p node@24 -p pnpm@12 pnpm run from-source (\S+\.ts)(?: [a-z-]+)*$/.exec(command) ?? [];
      expect(existsSync(join(root, program)) && program).not.toBe('');
    },
  );

  it('knows each command that is written down', () => {
    const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })];
    const named = pages.flatMap((page) => [
      ...read(page).matchAll(/\b(?:npm run(?: --silent)?|pnpm run|pnpm(?= new-)) ([a-z][a-z-]*)/g),
    ]);
    const names = new Set(named.map(([, name]) => name));
    expect(names).toContain('bug-zoo');
    expect(names).toContain('new-platform');
    expect([...names].filter((name = '') => !(name in scripts))).toEqual([]);
  });

  it('bench has a program for each name that it takes', () => {
    const [list = ''] = /benches = \[[^\]]+\]/.exec(read('bench/run.ts')) ?? [];
    const names = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(names).toContain('start');
    expect(names.filter((name) => !existsSync(join(root, `bench/${name}.ts`)))).toEqual([]);
  });
});
