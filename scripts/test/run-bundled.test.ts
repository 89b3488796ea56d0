import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['serve', 'cli'])('“%s” runs as one file, without a compiler in memory', async (name) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: readonly string[] = scripts[name].split(' ');
  const options = words.slice(words.indexOf('node') + 1, -1);
  const { place, program } = await makeProject();
  await writeFile(join(dirname(program), 'other.ts'), 'export const other: string = import.meta.url;');
  await writeFile(
    program,
    `import { other } from './other.ts';
    const compiler = process.moduleLoadList.some((name: string) => name.includes('amaro'));
    console.log(JSON.stringify({ compiler, other, here: import.meta.url, stack: new Error().stack }));`,
  );
  const said = JSON.parse(await run(place, [...options, program]));
  // Each module still finds files beside its source.
  expect(said.here).toMatch(/\/apps\/one\/src\/main\.ts$/);
  expect(said.other).toMatch(/\/apps\/one\/src\/other\.ts$/);
  expect(said.stack).toContain('.cache/handover/bundles/');
  expect(said.compiler).toBe(false);
});

test('a source file that has changed is in the next bundle', async () => {
  const { place, program } = await makeProject();
  const other = join(dirname(program), 'other.ts');
  await writeFile(program, `import { word } from './other.ts'; console.log(word);`);
  for (const word of ['before', 'after', 'later']) {
    await writeFile(other, `export const word: string = '${word}';`);
    expect(await runBundled(place, program)).toBe(`${word}\n`);
  }
});

test('a bundle is made once, and again when something was installed', async () => {
  const { place, program } = await makeProject();
  await writeFile(program, `console.log((new Error().stack ?? '').includes('/bundles/'));`);
  const installed = join(place, 'node_modules/.pnpm/lock.yaml');
  await mkdir(dirname(installed));
  await writeFile(installed, 'one');
  expect(await runBundled(place, program)).toBe('true\n');
  // From here on no bundle can be made.
  await rm(join(place, 'node_modules/rolldown'));
  expect(await runBundled(place, program)).toBe('true\n');
  await writeFile(installed, 'another');
  expect(await runBundled(place, program)).toBe('false\n');
});

test('an old bundle is removed once no program can be about to load it', async () => {
  const { place, program } = await makeProject();
  for (const word of ['first', 'second', 'third']) {
    await writeFile(program, `console.log('${word}');`);
    await runBundled(place, program);
    const bundles = await listBundles(place);
    // All were old when the next was made, and have gone.
    expect(bundles).toHaveLength(1);
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const bundle of bundles) await utimes(bundle, longAgo, longAgo);
  }
});

test('a program that cannot be bundled runs from its source, and Node says what is wrong with it', async () => {
  const { place, program } = await makeProject();
  await writeFile(program, 'const word: = 1;');
  await expect(runBundled(place, program)).rejects.toThrow(/main\.ts:1/);
});

test('where nothing can be kept, the program runs all the same', async () => {
  const { place, program } = await makeProject();
  await rm(join(place, 'node_modules'), { recursive: true });
  await writeFile(join(place, 'node_modules'), 'no directory');
  await writeFile(program, 'const word: string = "runs"; console.log(word);');
  expect(await runBundled(place, program)).toBe('runs\n');
});

async function listBundles(place: string): Promise<readonly string[]> {
  const bundles = join(place, 'node_modules/.cache/handover/bundles');
  const [directory = ''] = await readdir(bundles);
  const names = await readdir(join(bundles, directory));
  return names.filter((name) => name.endsWith('.js')).map((name) => join(bundles, directory, name));
}

function runBundled(place: string, program: string): Promise<string> {
  return run(place, ['--import', './scripts/run-bundled.js', program]);
}

async function run(place: string, words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [...words], { cwd: place })).stdout;
}

/** A project of one program, with what bundles it. */
async function makeProject(): Promise<{ readonly place: string; readonly program: string }> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'handover-bundle-')));
  onTestFinished(() => rm(place, { recursive: true }));
  await mkdir(join(place, 'scripts'));
  await mkdir(join(place, 'node_modules'));
  await mkdir(join(place, 'apps/one/src'), { recursive: true });
  await symlink(join(root, 'node_modules/rolldown'), join(place, 'node_modules/rolldown'));
  await writeFile(join(place, 'package.json'), '{"type":"module"}');
  for (const name of ['run-bundled.js', 'bundle.js', 'bundle-place.js', 'file-stamps.js'])
    await copyFile(join(root, 'scripts', name), join(place, 'scripts', name));
  return { place, program: join(place, 'apps/one/src/main.ts') };
}
