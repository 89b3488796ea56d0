import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface PublishedPackage {
  readonly name: string;
  readonly directory: string;
  readonly manifest: Manifest;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly engines: { readonly node: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Every published package of the workspace. */
export const PACKAGES: readonly PublishedPackage[] = globSync(
  ['packages/*/package.json', 'packages/platform-webhooks/*/package.json', 'apps/*/package.json'],
  { cwd: root },
)
  .map((path) => ({ path, manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) }))
  .filter(({ manifest }) => !manifest.private)
  .map(({ path, manifest }) => ({ name: manifest.name, directory: join(root, dirname(path)), manifest }));

export interface Installation {
  /** An empty folder with the packed packages and their dependencies. */
  readonly folder: string;
  tarballOf(name: string): string;
}

/** Packs every package for publication, and installs the tarballs outside the workspace. */
export async function installPacked(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'handover-packed-'));
  // Readable like a user's project: PostgreSQL, which does not run as root, finds its programs below it.
  await chmod(folder, 0o755);
  const tarballs = join(folder, 'tarballs');
  const pnpm = (cwd: string, ...words: readonly string[]) =>
    run('pnpm', [...words], { cwd, env: withoutTestOptions(), shell: process.platform === 'win32' });
  // One after the other: each builds what it packs.
  const filters = PACKAGES.flatMap(({ name }) => ['--filter', name]);
  await pnpm(root, '-r', '--workspace-concurrency=1', ...filters, 'pack', '--pack-destination', tarballs);
  const tarballOf = (name: string) =>
    join(tarballs, `${name.slice(1).replace('/', '-')}-${versionOf(name)}.tgz`);
  const ours = Object.fromEntries(PACKAGES.map(({ name }) => [name, `file:${tarballOf(name)}`]));
  const manifest = {
    type: 'module',
    dependencies: { ...ours, fastify: '*', pg: '*', typebox: '*', '@types/node': '*' },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // Dependencies between them come from the tarballs, too, and everything else from the store if possible.
  const programs = PACKAGES.flatMap(({ manifest }) => Object.keys(manifest.optionalDependencies ?? {}));
  // As for somebody who approved no script: PostgreSQL's would make links, and OpenTelemetry's protobufjs checks a version.
  const allowBuilds = Object.fromEntries([...programs, 'protobufjs'].map((name) => [name, false]));
  await writeFile(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: ours, allowBuilds }));
  await copyFile(join(root, 'pnpm-lock.yaml'), join(folder, 'pnpm-lock.yaml'));
  await pnpm(folder, 'install', '--no-frozen-lockfile', '--prefer-offline');
  return { folder, tarballOf };
}

/** Installs what a project in a folder of its own names, with ours from the same tarballs. */
export async function installBeside({ folder }: Installation, project: string): Promise<void> {
  for (const name of ['pnpm-workspace.yaml', 'pnpm-lock.yaml'])
    await copyFile(join(folder, name), join(project, name));
  const words = ['install', '--no-frozen-lockfile', '--prefer-offline'];
  await run('pnpm', words, {
    cwd: project,
    env: withoutTestOptions(),
    shell: process.platform === 'win32',
  });
}

function versionOf(name: string): string {
  return PACKAGES.find((published) => published.name === name)?.manifest.version ?? '';
}

/** The environment of a user's shell: the tests' own condition would resolve to sources. */
export function withoutTestOptions(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  return env;
}
