import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Installation,
  installBeside,
  installPacked,
  PACKAGES,
  withoutTestOptions,
} from './pack-packages.ts';

/** The oldest version that `engines` names. The newest is the one that runs this. */
const OLDEST_NODE = '22.18.0';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
let installed: Installation;
let oldest: string;

beforeAll(async () => {
  // A used tree: its source is gone, and what it made is not.
  await writeFile(join(root, 'packages/html/dist/of-a-former-build.js'), '');
  [installed, oldest] = await Promise.all([installPacked(), findOldestNode()]);
});

afterAll(() => rm(installed.folder, { recursive: true, force: true, maxRetries: 5 }));

describe.concurrent.each(PACKAGES)('$name', ({ name, directory, manifest }) => {
  test('says what it is, for whom, and on which Node it was tested', () => {
    expect(manifest).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      description: expect.any(String),
      keywords: expect.arrayContaining(['handover']),
      license: 'MIT',
      repository: { type: 'git', directory: directory.slice(root.length) },
      engines: { node: `>=${OLDEST_NODE.replace(/\.0$/, '')}` },
      type: 'module',
      sideEffects: false,
    });
  });

  test('has types, sources and maps for every export, the same as in the workspace', async () => {
    const place = join(installed.folder, 'node_modules', name);
    const packed = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
    expect(packed.exports).toEqual(manifest.exports);
    for (const door of Object.values(manifest.exports)) {
      expect(Object.keys(door)).toEqual(['handover-source', 'types', 'default']);
      for (const file of Object.values(door)) expect(existsSync(join(place, file)), file).toBe(true);
      const map = `${door.default}.map`;
      const { sources } = JSON.parse(await readFile(join(place, map), 'utf8'));
      for (const source of sources) expect(existsSync(join(place, dirname(map), source)), source).toBe(true);
    }
    expect(existsSync(join(place, 'LICENSE'))).toBe(true);
    expect(existsSync(join(place, 'dist/of-a-former-build.js'))).toBe(false);
    const files = await readdir(place, { recursive: true });
    // What is written for others has tests of its own.
    const own = files.filter((file) => !file.startsWith('template'));
    expect(own.filter((file) => /(^|\/)test\/|\.tsbuildinfo$/.test(file))).toEqual([]);
  });

  test('is clean to publint and to “are the types wrong”', async () => {
    const tarball = await readFile(installed.tarballOf(name));
    const { messages } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true });
    expect(messages).toEqual([]);
    const checked = await checkPackage(createPackageFromTarballData(tarball));
    const problems = checked.types ? checked.problems : ['no types'];
    expect(problems.filter((problem) => !isOfCommonJs(problem))).toEqual([]);
  });

  test.each(['oldest', 'newest'])('runs the programs of its README on the %s Node', async (which) => {
    const readme = await readFile(join(installed.folder, 'node_modules', name, 'README.md'), 'utf8');
    const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    expect(programs[0]).toContain(`from '${name}`);
    const place = join(installed.folder, `${name.slice('@handover/'.length)}-${which}`);
    await mkdir(place);
    const node = which === 'oldest' ? oldest : process.execPath;
    for (const [at, program] of programs.entries()) {
      await writeFile(join(place, `program-${at}.ts`), program);
      await run(node, [`program-${at}.ts`], { cwd: place, env: withoutTestOptions() });
    }
  });
});

test('the types of every package and the programs of its README stand without skipLibCheck, with no more than what the packages bring', async () => {
  const place = join(installed.folder, 'types');
  await mkdir(place);
  const doors = PACKAGES.flatMap(({ name, manifest }) =>
    Object.keys(manifest.exports).map((door) => `import '${name}${door.slice(1)}';\n`),
  );
  await writeFile(join(place, 'doors.ts'), doors.join(''));
  const examples = await Promise.all(PACKAGES.map(({ name }) => writeExamples(name, place)));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const found = await run(process.execPath, [tsc, ...options, 'doors.ts', ...examples.flat()], {
    cwd: place,
  }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  // srvx, which comes with @tus/server, names types of Deno, Bun and Cloudflare, and brings none of them.
  const isOfSrvx = (line: string) => line === '' || line.includes('/node_modules/srvx/');
  // The driver pg brings no types: a program that asks the embedded PostgreSQL chooses its own driver.
  const isOfDriver = (line: string) => / 'pg'|'pg' package/.test(line);
  expect(found.split('\n').filter((line) => !isOfSrvx(line) && !isOfDriver(line))).toEqual([]);
});

test('a platform that is written outside the workspace type-checks, and its contract says what to write', async () => {
  const main = join(installed.folder, 'node_modules/@handover/create-platform/dist/main.js');
  const env = withoutTestOptions();
  const { stdout } = await run(process.execPath, [main, 'gumtree'], { cwd: installed.folder, env });
  expect(stdout).toContain('gumtree is written.');
  const cwd = join(installed.folder, 'gumtree');
  const manifest = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions).toEqual(versions.map(() => expect.stringMatching(/^\^?\d+\.\d+\.\d+$/)));
  await installBeside(installed, cwd);
  const bin = (name: string) => join(cwd, 'node_modules/.bin', name);
  await run(bin('tsc'), [], { cwd, env });
  const tried = await run(bin('vitest'), ['run'], { cwd, env }).then(
    () => 'It passed.',
    ({ stdout: out, stderr }: { readonly stdout: string; readonly stderr: string }) => out + stderr,
  );
  expect(tried).toContain('In src/verify.ts, return verifyHmac');
});

test('the packed server takes the platform of another team, and delivers an order of it', async () => {
  const { folder } = installed;
  await cp(join(root, 'examples/own-platform/src'), join(folder, 'own-platform'), { recursive: true });
  const DATA_DIR = join(folder, 'data');
  const env = { ...withoutTestOptions(), PLATFORMS: './own-platform/index.ts', DATA_DIR, PORT: '0' };
  const handover = join(folder, 'node_modules/@handover/server/dist/main.js');
  const server = spawn(process.execPath, [handover, 'serve'], {
    ...{ cwd: folder, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  try {
    const lines: string[] = [];
    for await (const line of createInterface(server.stdout)) {
      lines.push(line);
      if (/Ctrl-C stops/.test(line)) break;
    }
    server.stdout.resume();
    expect(lines.join('\n')).toContain(' npx handover simulate storefront-a --org');
    const { orgId } = JSON.parse(await readFile(join(DATA_DIR, 'demo.json'), 'utf8'));
    const simulate = ['simulate', 'gumtree', '--org', orgId, '--sku', 'felt-piano', '--json'];
    const { stdout } = await run(process.execPath, [handover, ...simulate], { cwd: folder, env });
    expect(JSON.parse(stdout)).toMatchObject({
      platform: 'gumtree',
      status: 200,
      entry: { status: 'success' },
    });
  } finally {
    server.kill('SIGTERM');
    await exited;
  }
  expect(server.exitCode).toBe(0);
});

test.each(['embed-domain', 'sqlite-store', 'sqlite-stores'])(
  'the example %s runs from the packages',
  async (name) => {
    const place = join(installed.folder, name);
    await cp(join(root, 'examples', name, 'src'), place, { recursive: true });
    await run(process.execPath, ['main.ts'], { cwd: place, env: withoutTestOptions() });
  },
);

test('the example mount-in-fastify runs from the packages, with a PostgreSQL of theirs', async () => {
  const { folder } = installed;
  const place = join(folder, 'mount-in-fastify');
  await cp(join(root, 'examples/mount-in-fastify/src'), place, { recursive: true });
  const embedded = join(folder, 'node_modules/@handover/embedded-postgres/dist/index.js');
  const { startEmbeddedPostgres }: typeof import('../../packages/embedded-postgres/src/index.ts') =
    await import(embedded);
  const postgres = await startEmbeddedPostgres({ directory: join(folder, 'shop', 'postgres') });
  const port = await findPort();
  const env = {
    ...withoutTestOptions(),
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}/downloads`,
    DATABASE_URL: postgres.url,
    FILES_URL: `file://${join(folder, 'shop', 'files')}`,
    HANDOVER_SECRET: 'a-secret-of-at-least-32-characters',
  };
  const shop = spawn(process.execPath, ['main.ts'], {
    ...{ cwd: place, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(shop, 'exit');
  try {
    await once(createInterface(shop.stdout), 'line');
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('Lumen Audio');
    expect(await (await fetch(`${env.SITE_URL}/readyz`)).json()).toMatchObject({ status: 'ready' });
  } finally {
    shop.kill('SIGTERM');
    await exited;
    await postgres.stop();
  }
  expect(shop.exitCode).toBe(0);
});

test('the domain runs without any API of Node', async () => {
  const program = join(root, 'test/packages/run-in-bare-vm.js');
  const options = ['--experimental-vm-modules', '--no-warnings', program];
  const doors = PACKAGES.find(({ name }) => name === '@handover/domain')?.manifest.exports ?? {};
  for (const door of Object.values(doors)) {
    const file = join(installed.folder, 'node_modules/@handover/domain', door.default ?? '');
    const { stdout } = await run(process.execPath, [...options, file], { env: withoutTestOptions() });
    expect(JSON.parse(stdout).length).toBeGreaterThan(3);
  }
});

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The packages are ES modules only. */
function isOfCommonJs(problem: string | Problem): boolean {
  if (typeof problem === 'string' || !('resolutionKind' in problem)) return false;
  return problem.resolutionKind === 'node10' || problem.resolutionKind === 'node16-cjs';
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

async function findOldestNode(): Promise<string> {
  const words = ['-y', '-p', `node@${OLDEST_NODE}`, 'node', '-p', 'process.execPath'];
  const { stdout } = await run('npx', words, {
    env: withoutTestOptions(),
    shell: process.platform === 'win32',
  });
  return stdout.trim();
}

/** The programs of a package's README, each as a file. @returns their names. */
async function writeExamples(name: string, place: string): Promise<readonly string[]> {
  const readme = await readFile(join(installed.folder, 'node_modules', name, 'README.md'), 'utf8');
  const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const files = programs.map((_, at) => `${name.slice('@handover/'.length)}-${at}.ts`);
  // Each is a module of its own, also without an import or an export.
  await Promise.all(
    programs.map((text, at) => writeFile(join(place, files[at] ?? ''), `${text}\nexport {};\n`)),
  );
  return files;
}
