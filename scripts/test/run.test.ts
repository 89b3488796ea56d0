import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('npx and pnpm are asked once, and again when what they looked at has changed', async () => {
  const project = await makeProject();
  for (const _start of ['first', 'second']) expect(await project.run('cli')).toMatchObject({ code: 0 });
  expect(await project.asked()).toBe(1);
  for (const file of ['package.json', 'pnpm-lock.yaml', 'packages/one/package.json']) {
    const path = join(project.place, file);
    await writeFile(path, `${await readFile(path, 'utf8')}\n`);
    const before = await project.asked();
    for (const _start of ['first', 'second']) expect(await project.run('cli')).toMatchObject({ code: 0 });
    expect(await project.asked()).toBe(before + 1);
  }
  await rm(join(project.place, 'node_modules'), { recursive: true });
  await project.run('cli');
  expect(await project.asked()).toBe(5);
});

test('a command gets its words and its input, and its output is its own, while npx and pnpm prepare, too', async () => {
  const project = await makeProject();
  for (const _start of ['first', 'second']) {
    const { code, stdout } = await project.run('cli', ['a word', `it's`, 'exit=3'], 'typed');
    expect(JSON.parse(stdout)).toMatchObject({ words: ['a word', `it's`, 'exit=3'], input: 'typed' });
    expect(code).toBe(3);
  }
});

test('the shell of npm start becomes the server, with its settings', async () => {
  const project = await makeProject();
  const { start } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts;
  for (const _start of ['first', 'second']) {
    const { code, stdout, pid } = await project.start(start);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { pid, setting: 'yes' }]);
  }
});

test.each([
  ['0', false],
  ['99', true],
])(
  'the Node that npx brought runs the program unless this one is as new: 24.%s',
  async (minor, isBrought) => {
    const project = await makeProject();
    await project.run('cli');
    const kept = join(project.place, 'node_modules/.cache/handover/prepared.json');
    const prepared = JSON.parse(await readFile(kept, 'utf8'));
    const [major] = process.versions.node.split('.');
    const brought = join(project.place, 'node_modules/brought');
    await symlink(process.execPath, brought);
    await writeFile(kept, JSON.stringify({ ...prepared, node: brought, version: `${major}.${minor}.0` }));
    const { stdout } = await project.run('cli');
    expect(JSON.parse(stdout).node).toBe(isBrought ? brought : process.execPath);
  },
);

test('npm start fails, and starts nothing, when it cannot be prepared', async () => {
  const project = await makeProject();
  await writeFile(project.npx, '#!/bin/sh\nexit 7\n');
  const { start } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).scripts;
  expect(await project.start(start)).toMatchObject({ code: 1, stdout: '' });
  expect(await project.run('cli')).toMatchObject({ code: 7, stdout: '' });
});

const PROGRAM = `
let input = '';
for await (const text of process.stdin) input += text;
const words = process.argv.slice(2);
console.log(JSON.stringify({ words, input, node: process.argv0, pid: process.pid, setting: process.env.A_SETTING }));
process.exitCode = Number(words.find((word) => word.startsWith('exit='))?.slice(5) ?? 0);
`;

/** A project with an odd path, and an npx that brings this Node, installs nothing, and talks. */
async function makeProject() {
  const above = await mkdtemp(join(tmpdir(), 'handover-run-'));
  onTestFinished(() => rm(above, { recursive: true }));
  const place = join(above, `a project's place`);
  const programs = join(above, 'programs');
  for (const path of ['scripts', 'node_modules', 'packages/one'])
    await mkdir(join(place, path), { recursive: true });
  await mkdir(programs);
  for (const name of ['run.js', 'tell-prepared.js', 'file-stamps.js'])
    await copyFile(join(root, 'scripts', name), join(place, 'scripts', name));
  const scripts = { serve: 'A_SETTING=yes node program.js', cli: 'node program.js' };
  await writeFile(join(place, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  await writeFile(join(place, 'packages/one/package.json'), '{}');
  await writeFile(join(place, 'pnpm-lock.yaml'), '');
  await writeFile(join(place, 'program.js'), PROGRAM);
  const asked = join(above, 'asked');
  const npx = join(programs, 'npx');
  await writeFile(npx, `#!/bin/sh\necho x >> '${asked}'\necho noise\nexec node scripts/tell-prepared.js\n`);
  await chmod(npx, 0o755);
  const env = { PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter) };
  const node = (words: readonly string[], input: string) =>
    spawn(process.execPath, words, { place, env, input });
  return {
    place,
    npx,
    asked: async () => (await readFile(asked, 'utf8')).split('\n').length - 1,
    run: (name: string, words: readonly string[] = [], input = '') =>
      node(['scripts/run.js', name, ...words], input),
    start: (script: string) => spawn('sh', ['-c', script], { place, env, input: '' }),
  };
}

interface Surroundings {
  readonly place: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
}

function spawn(command: string, words: readonly string[], { place, env, input }: Surroundings) {
  return new Promise<{ code: number; stdout: string; pid: number | undefined }>((resolve) => {
    const child = execFile(command, [...words], { cwd: place, env }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, pid: child.pid }),
    );
    child.stdin?.end(input);
  });
}
