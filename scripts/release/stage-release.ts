import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Bundle } from '../bundle.ts';
import { collectLicences } from './collect-licences.ts';
import { type HeldPackage, listHeldPackages } from './held-packages.ts';
import { makeSbom } from './make-sbom.ts';
import type { Source } from './read-source.ts';

interface Contents {
  readonly program: Bundle;
  readonly source: Source;
  /** Whose PostgreSQL is included, such as `linux-x64`. Null: none. */
  readonly platform: string | null;
}

/** Lays out a release: a part of this tree, at the same paths, so that modules find their files as they do here. */
export function stageRelease(root: string, folder: string, { program, source, platform }: Contents): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const copy = (path: string) =>
    cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true });

  for (const { name, code } of program.files) write(`apps/server/dist/${name}`, code);
  for (const path of ['bin', 'deploy', 'packages/adapters-http/assets', 'LICENSE']) copy(path);
  for (const page of globSync('docs/*.md', { cwd: root })) copy(page);
  chmodSync(join(folder, 'bin/handover'), 0o755);
  for (const path of program.resources) copy(relative(root, path));
  const held: HeldPackage[] = listHeldPackages([...program.modules, ...program.resources]);
  if (platform !== null) held.push(copyPostgres(root, folder, platform));

  const { version } = source;
  const manifest = {
    name: 'handover',
    version,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=22.18' },
  };
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  write(
    'apps/server/package.json',
    `${JSON.stringify({ name: '@handover/server', version, type: 'module' })}\n`,
  );
  write('README.md', describeRelease(root, source, platform));
  write('THIRD-PARTY-LICENSES.txt', collectLicences(held));
  write('sbom.cdx.json', makeSbom(root, held, source));
}

/** Found by packages/embedded-postgres, as in an installation by npm. */
function copyPostgres(root: string, folder: string, platform: string): HeldPackage {
  const name = `@embedded-postgres/${platform.replace('win32', 'windows')}`;
  const require = createRequire(join(root, 'packages/embedded-postgres/package.json'));
  const from = join(require.resolve(name), '..', '..');
  cpSync(from, join(folder, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  return { name, version, directory: from };
}

function describeRelease(root: string, { version, commit }: Source, platform: string | null): string {
  const text = readFileSync(join(root, 'scripts/release/README.md'), 'utf8');
  const postgres =
    platform === null
      ? 'It contains no PostgreSQL: set `DATABASE_URL`.'
      : `It contains PostgreSQL for ${platform}, which runs where \`DATABASE_URL\` is not set.`;
  return text.replaceAll('VERSION', version).replaceAll('COMMIT', commit).replaceAll('POSTGRES', postgres);
}
