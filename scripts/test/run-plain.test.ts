import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['serve', 'cli'])('“%s” runs without a compiler in memory', async (name) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: readonly string[] = scripts[name].split(' ');
  const options = words.slice(words.indexOf('node') + 1, -1);
  const domain = join(root, 'packages/domain/src/index.ts');
  expect(await holdsCompiler(root, options, domain)).toBe(false);
  expect(await holdsCompiler(root, [], domain)).toBe(true);
});

test('a text that has changed is made plain anew', async () => {
  const { place, program } = await makeProject();
  await writeFile(program, 'const word: string = "before"; console.log(word);');
  expect(await run(place, ['--import', './scripts/run-plain.js', program])).toBe('before\n');
  await writeFile(program, 'const word: string = "after"; console.log(word);');
  expect(await run(place, ['--import', './scripts/run-plain.js', program])).toBe('after\n');
});

test('a file that cannot be made plain keeps no other from it, and Node says what is wrong', async () => {
  const { place, program } = await makeProject();
  const broken = join(place, 'apps/one/src/a-broken-one.ts');
  await writeFile(broken, 'enum Word { Before }');
  await writeFile(program, 'const word: string = "runs"; console.log(word);');
  expect(await run(place, ['--import', './scripts/run-plain.js', program])).toBe('runs\n');
  const kept = await readdir(join(place, 'node_modules/.cache/handover/plain'));
  expect(kept).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.js$/)]);
  const failing = run(place, ['--import', './scripts/run-plain.js', broken]);
  await expect(failing).rejects.toThrow(/a-broken-one\.ts:1/);
});

test('where nothing can be kept, the program runs all the same', async () => {
  const { place, program } = await makeProject();
  await writeFile(join(place, 'node_modules'), 'no directory');
  await writeFile(program, 'const word: string = "runs"; console.log(word);');
  expect(await run(place, ['--import', './scripts/run-plain.js', program])).toBe('runs\n');
});

/** Whether Node has its compiler in memory once this file is loaded. */
async function holdsCompiler(place: string, options: readonly string[], file: string): Promise<boolean> {
  const program = `await import(${JSON.stringify(file)});
    console.log(process.moduleLoadList.some((name) => name.includes('amaro')));`;
  return (await run(place, [...options, '--input-type=module', '--eval', program])) === 'true\n';
}

async function run(place: string, words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [...words], { cwd: place })).stdout;
}

/** A project of one file, with what makes it plain. */
async function makeProject(): Promise<{ readonly place: string; readonly program: string }> {
  const place = await mkdtemp(join(tmpdir(), 'handover-plain-'));
  onTestFinished(() => rm(place, { recursive: true }));
  await mkdir(join(place, 'scripts'));
  await mkdir(join(place, 'apps/one/src'), { recursive: true });
  await writeFile(join(place, 'package.json'), '{"type":"module"}');
  for (const name of ['run-plain.js', 'strip-types.js', 'place-of-plain.js'])
    await copyFile(join(root, 'scripts', name), join(place, 'scripts', name));
  return { place, program: join(place, 'apps/one/src/main.ts') };
}
