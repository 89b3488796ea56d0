import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureFunctions } from './measure-functions.ts';

const root = join(import.meta.dirname, '../..');
const SOURCES = ['packages/*/src/**/*.ts', 'packages/platform-webhooks/*/src/**/*.ts', 'apps/*/src/**/*.ts'];
const A_SCREEN = 50;

describe('a function', () => {
  it('fits a screen', async () => {
    const longer: string[] = [];
    for await (const file of glob(SOURCES, { cwd: root })) {
      for (const { name, lines } of measureFunctions(file, readFileSync(join(root, file), 'utf8'))) {
        if (lines > A_SCREEN) longer.push(`${file} ${name}: ${lines}`);
      }
    }
    expect(longer).toEqual([]);
  });
});

it('has no source file of over 300 lines but lists of exports', async () => {
  const long: string[] = [];
  for await (const file of glob(SOURCES, { cwd: root })) {
    if (file.endsWith('/src/index.ts')) continue;
    if (readFileSync(join(root, file), 'utf8').split('\n').length > 301) long.push(file);
  }
  expect(long).toEqual([]);
});

describe('measuring a function', () => {
  it('counts its lines without those of the functions within it', () => {
    const code =
      'function outer() {\n  const inner = () => {\n    one();\n    two();\n  };\n  return inner;\n}\n';
    expect(measureFunctions('a.ts', code)).toEqual([
      { name: 'inner', lines: 4 },
      { name: 'outer', lines: 4 },
    ]);
  });

  it('names a function by its member or variable, or not at all', () => {
    const code = 'export const api = { read() {}, list: () => 1 };\n[1].map((one) => one);\n';
    expect(measureFunctions('a.ts', code).map(({ name }) => name)).toEqual(['read', 'list', 'anonymous']);
  });

  it('refuses what is not a program', () => {
    expect(() => measureFunctions('a.ts', 'function (')).toThrow('a.ts');
  });
});
