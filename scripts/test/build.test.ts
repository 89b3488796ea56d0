import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the program is one file, whose modules find the files beside them, also after the tree was moved', async () => {
  const { place, write } = await makeProject();
  await write('other.ts', `export const other: string = new URL('../asset.txt', import.meta.url).pathname;`);
  await write(
    'main.ts',
    `import { other } from './other.ts';
    import pino from 'pino';
    const compiler = process.moduleLoadList.some((name: string) => name.includes('amaro'));
    const found = import.meta.resolve('typescript/package.json');
    console.log(JSON.stringify({ compiler, other, found, pino: typeof pino, stack: new Error().stack }));`,
  );
  await build(place);
  const moved = `${place}-moved`;
  onTestFinished(() => rm(moved, { recursive: true }));
  await rename(place, moved);
  const said = JSON.parse(await run(moved, ['apps/server/dist/handover.js']));
  expect(said).toMatchObject({
    compiler: false,
    other: join(moved, 'apps/server/asset.txt'),
    pino: 'function',
    stack: expect.stringContaining('handover.js'),
  });
  expect(JSON.parse(await readFile(new URL(said.found), 'utf8')).name).toBe('typescript');
});

test('the next build contains a change, also one with a type error', async () => {
  const { place, write } = await makeProject();
  await write('main.ts', `import { word } from './other.ts'; console.log(word);`);
  for (const [word, type] of [
    ['before', 'string'],
    ['after', 'string'],
    ['later', 'number'],
  ]) {
    await write('other.ts', `export const word: ${type} = '${word}';`);
    const said = await build(place);
    expect(said.includes('TS2322')).toBe(type === 'number');
    expect(await run(place, ['apps/server/dist/handover.js'])).toBe(`${word}\n`);
  }
});

test('one build runs at a time, and a killed one does not block others', async () => {
  const { place, write } = await makeProject();
  await write('main.ts', `console.log('built');`);
  const cache = join(place, 'node_modules/.cache/handover');
  await mkdir(cache, { recursive: true });
  const ended = execFile(process.execPath, ['--eval', '']);
  await new Promise((resolve) => ended.once('exit', resolve));
  await writeFile(join(cache, 'building'), String(ended.pid));
  await Promise.all([build(place), build(place), build(place)]);
  expect(await run(place, ['apps/server/dist/handover.js'])).toBe('built\n');
  expect(await readFile(join(cache, 'built'), 'utf8')).toBe(process.execPath);
});

async function build(place: string): Promise<string> {
  return run(place, ['scripts/build.js']);
}

async function run(place: string, words: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [...words], { cwd: place })).stdout;
}

/** A project with one program and its build. */
async function makeProject() {
  const place = await realpath(await makeTemporaryDirectory());
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(place, 'apps/server/src', path)), { recursive: true });
    await writeFile(join(place, 'apps/server/src', path), text);
  };
  await mkdir(join(place, 'scripts'));
  await mkdir(join(place, 'node_modules'));
  const options = { rootDir: 'src', outDir: 'dist', composite: true, module: 'nodenext', target: 'es2024' };
  const compilerOptions = {
    ...options,
    types: ['node'],
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
  };
  await write('../tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  await write('../package.json', '{"type":"module"}');
  await write('../asset.txt', '');
  for (const name of ['rolldown', 'typescript', '@types'])
    await symlink(join(root, 'node_modules', name), join(place, 'node_modules', name));
  await symlink(join(root, 'apps/server/node_modules/pino'), join(place, 'node_modules/pino'));
  for (const name of ['scripts/build.js', 'scripts/bundle.ts'])
    await copyFile(join(root, name), join(place, name));
  return { place, write };
}
