import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryDirectory } from '../../test/temporary-directory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('npx and pnpm run once, and again when their inputs have changed', async () => {
  const project = await makeProject();
  for (const _start of ['first', 'second']) expect(await project.launch()).toMatchObject({ code: 0 });
  expect([await project.count('asked'), await project.count('built')]).toEqual([1, 1]);
  for (const file of ['package.json', 'pnpm-lock.yaml', 'packages/one/package.json']) {
    await project.change(file);
    const before = await project.count('asked');
    for (const _start of ['first', 'second']) expect(await project.launch()).toMatchObject({ code: 0 });
    expect(await project.count('asked')).toBe(before + 1);
  }
  await rm(join(project.place, 'node_modules'), { recursive: true });
  await project.launch();
  expect(await project.count('asked')).toBe(5);
});

test.each([
  'packages/one/src/rule.ts',
  'packages/platform-webhooks/two/src/rule.ts',
  'apps/server/src/main.ts',
  'packages/one/tsconfig.json',
  'tsconfig.base.json',
  'scripts/build.js',
])('the program is built again, without npx, when %s has changed', async (file) => {
  const project = await makeProject();
  await project.launch();
  await project.change(file);
  for (const _start of ['first', 'second']) expect(await project.launch()).toMatchObject({ code: 0 });
  expect([await project.count('asked'), await project.count('built')]).toEqual([1, 2]);
});

test('the program is built again when a source was removed', async () => {
  const project = await makeProject();
  await project.launch();
  await rm(join(project.place, 'packages/one/src/rule.ts'));
  await project.launch();
  expect(await project.count('built')).toBe(2);
});

test('a source with a time in the future is built with each start, and not for ever', async () => {
  const project = await makeProject();
  await project.launch();
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await utimes(join(project.place, 'packages/one/src/rule.ts'), tomorrow, tomorrow);
  for (const _start of ['first', 'second']) expect(await project.launch()).toMatchObject({ code: 0 });
  expect(await project.count('built')).toBe(3);
});

test('a command gets its arguments and input, and its output is not mixed with that of the preparation', async () => {
  const project = await makeProject();
  for (const _start of ['first', 'second']) {
    const { code, stdout } = await project.launch(['a word', `it's`, 'exit=3'], 'typed');
    expect(JSON.parse(stdout)).toMatchObject({ words: ['a word', `it's`, 'exit=3'], input: 'typed' });
    expect(code).toBe(3);
  }
});

test('npm start becomes the server, with the flags of the process and data in the project', async () => {
  const project = await makeProject();
  const { start } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts;
  for (const _start of ['first', 'second']) {
    const { code, stdout, pid } = await project.shell(start);
    const said = JSON.parse(stdout);
    expect([code, said]).toMatchObject([0, { pid, words: ['serve'], arenas: '2' }]);
    expect(said.flags).toContainEqual(expect.stringMatching(/^--max-old-space-size=/));
    expect(said.flags).toContainEqual(expect.stringMatching(/^--max-semi-space-size=/));
    expect(said.dataDir).toBe(join(project.place, 'data'));
  }
});

test('with an old Node, npx is asked again once the Node that it brought is gone', async () => {
  const project = await makeProject();
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`;
  const start = `'${process.execPath}' --import "${pretend}" "$PLACE/bin/handover" org list`;
  expect((await project.shell(start)).code).toBe(0);
  await writeFile(join(project.place, 'node_modules/.cache/handover/built'), '/gone/bin/node');
  expect((await project.shell(start)).code).toBe(0);
  expect(await project.count('asked')).toBe(2);
});

test('a program that cannot be started is named, without a stack', async () => {
  const project = await makeProject();
  const { code, stderr } = await project.shell(
    `PATH=/nonexistent '${process.execPath}' "$PLACE/bin/handover"`,
  );
  expect([code, stderr]).toEqual([1, 'npx cannot be started (ENOENT). It comes with npm.\n']);
});

test('environment variables take precedence, from any directory', async () => {
  const project = await makeProject();
  const command = `cd / && MALLOC_ARENA_MAX=7 DATA_DIR=/srv/data '${process.execPath}' "$PLACE/bin/handover" org list`;
  const { stdout } = await project.shell(command);
  expect(JSON.parse(stdout)).toMatchObject({
    words: ['org', 'list'],
    arenas: '7',
    dataDir: '/srv/data',
    cwd: '/',
  });
});

test('the launcher prints the start command for other launchers', async () => {
  const project = await makeProject();
  const { stdout } = await project.launch(['start-command']);
  const { args, env } = JSON.parse(stdout);
  expect(args.at(-1)).toBe(join(project.place, 'apps/server/dist/handover.js'));
  expect(env).toMatchObject({ MALLOC_ARENA_MAX: '2' });
  expect(await project.count('asked')).toBe(0);
});

test('the program does not start if the preparation or the build fails', async () => {
  const project = await makeProject();
  await writeFile(project.npx, '#!/bin/sh\nexit 7\n');
  expect(await project.launch(['serve'])).toMatchObject({ code: 7, stdout: '' });
  await writeFile(join(project.place, 'scripts/build.js'), 'process.exitCode = 5');
  expect(await project.launch(['start-command'])).toMatchObject({ code: 5, stdout: '' });
});

const PROGRAM = `
let input = '';
for await (const text of process.stdin) input += text;
const words = process.argv.slice(2);
const { MALLOC_ARENA_MAX: arenas, DATA_DIR: dataDir } = process.env;
const flags = process.execArgv;
console.log(JSON.stringify({ words, input, flags, arenas, dataDir, pid: process.pid, cwd: process.cwd() }));
process.exitCode = Number(words.find((word) => word.startsWith('exit='))?.slice(5) ?? 0);
`;

const BUILD = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync(process.env.COUNTS + '/built', 'x\\n');
mkdirSync('node_modules/.cache/handover', { recursive: true });
writeFileSync('node_modules/.cache/handover/built', process.execPath);
console.log('noise');
`;

/** A project with an unusual path, an npx that installs nothing and prints, and a build that reports that it ran. */
async function makeProject() {
  const above = await makeTemporaryDirectory();
  const place = join(above, `a project's place`);
  const programs = join(above, 'programs');
  await mkdir(programs);
  const npx = join(programs, 'npx');
  const files = {
    'package.json': '{"type":"module"}',
    'pnpm-lock.yaml': '',
    'tsconfig.base.json': '{}',
    'scripts/build.js': BUILD,
    'apps/server/package.json': '{"type":"module"}',
    'apps/server/src/main.ts': '',
    'apps/server/dist/handover.js': PROGRAM,
    'packages/one/package.json': '{}',
    'packages/one/tsconfig.json': '{}',
    'packages/one/src/rule.ts': '',
    'packages/platform-webhooks/two/package.json': '{}',
    'packages/platform-webhooks/two/src/rule.ts': '',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  await mkdir(join(place, 'bin'));
  await copyFile(join(root, 'bin/handover'), join(place, 'bin/handover'));
  await writeFile(npx, `#!/bin/sh\necho x >> "$COUNTS/asked"\necho noise\nexec node scripts/build.js\n`);
  await chmod(npx, 0o755);
  const env = {
    PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
    COUNTS: above,
    PLACE: place,
  };
  // What never ends is ended.
  const options = { cwd: place, env, timeout: 20_000 };
  return {
    place,
    npx,
    count: async (what: 'asked' | 'built') =>
      (await readFile(join(above, what), 'utf8').catch(() => '')).split('\n').length - 1,
    change: async (file: string) => {
      const path = join(place, file);
      await writeFile(path, `${await readFile(path, 'utf8').catch(() => '')}\n`);
    },
    launch: (words: readonly string[] = [], input = '') =>
      run(process.execPath, ['bin/handover', ...words], input, options),
    shell: (script: string) => run('sh', ['-c', script], '', options),
  };
}

function run(
  command: string,
  words: readonly string[],
  input: string,
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly timeout: number },
) {
  return new Promise<{ code: number; stdout: string; stderr: string; pid: number | undefined }>((resolve) => {
    const child = execFile(command, [...words], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr, pid: child.pid }),
    );
    child.stdin?.end(input);
  });
}
