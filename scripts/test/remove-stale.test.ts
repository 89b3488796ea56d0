import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { PACKAGES } from '../../test/packages/pack-packages.ts';

const program = fileURLToPath(new URL('../remove-stale.js', import.meta.url));

it('removes what a removed source had made, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-stale-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = (name: string) => ['.js', '.js.map', '.d.ts'].map((kind) => `dist/${name}${kind}`);
  const kept = [...made('index'), ...made('rules/one'), 'dist/handover.js', 'dist/.tsbuildinfo'];
  for (const name of [
    'src/index.ts',
    'src/rules/one.ts',
    ...kept,
    ...made('former'),
    ...made('rules/former'),
  ]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  execFileSync(process.execPath, [program], { cwd: folder });
  const left = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(
    left
      .filter((name) => name !== 'rules')
      .map((name) => `dist/${name}`)
      .sort(),
  ).toEqual([...kept].sort());
});

it('has nothing to do where nothing was built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'handover-stale-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(() => execFileSync(process.execPath, [program], { cwd: folder })).not.toThrow();
});

it.each(PACKAGES)('runs before $name is packed', ({ manifest }) => {
  expect(manifest).toMatchObject({
    scripts: { prepack: expect.stringMatching(/^node (\.\.\/){2,3}scripts\/remove-stale\.js && tsc -b$/) },
  });
});
